@testable import CacheAside

/// What must hold after every step, and at the end.
extension FlightSystem {
  func check(_ holds: Bool, _ promise: @autoclosure () -> String) {
    if !holds, violation == nil { violation = promise() }
  }

  /// A caller's wait has ended.
  func hear(_ end: Waiter.End, _ caller: Int) {
    callers[caller].ends.append(end)
    callers[caller].place = .over
    let state = callers[caller]
    let run = runs[state.flight]
    check(state.ends.count == 1, "F5 every waiter ends once")
    switch end {
    case .ended:
      guard let result = run.result else {
        return check(false, "F3 a result is of a flight that has ended")
      }
      check(Self.isSame(run.flight.result, result), "F3 all waiters get the flight's result")
    case .left:
      check(state.isCancelled, "F2 only who is cancelled leaves")
    case .settled:
      check(
        (state.isImpatient || state.isTimedOut) && run.hasFallback,
        "T4 something older is taken when it is there"
      )
      check(run.flight.fallback(.softTimeout) == Self.fallbackValue || !run.isRunning, "T4 it is")
    case .timedOut:
      check(
        state.isTimedOut && !state.hadFallback,
        "T4 only who has waited long enough, and can have nothing older, gives up"
      )
    }
  }

  private static func isSame(
    _ actual: Result<Int, any Error>,
    _ expected: Result<Int, FlightFailure>
  ) -> Bool {
    switch (actual, expected) {
    case (.success(let one), .success(let other)): one == other
    case (.failure(let one), .failure(let other)): one as? FlightFailure == other
    case (.success, .failure), (.failure, .success): false
    }
  }

  func checkState() {
    var (open, waiting, live) = (0, 0, 0)
    for run in runs {
      let isRegistered = !run.flight.registration.isSuperseded
      if run.isOpen { open += 1 }
      if !run.isDone { live += 1 }
      check(isRegistered || !run.isOpen, "F5 only its own end or a change takes a flight out")
      check(!isRegistered || run.isOpen, "F4 a flight that is over or closed is out")
      if let job = run.job {
        let isCancelled = run.isCancelled && run.isInstalled
        check(
          job.isCancelled == isCancelled,
          "F2 work is cancelled when nobody wants it, not before"
        )
      }
    }
    for caller in callers where caller.isWaiting { waiting += 1 }
    check(open <= 1, "F1 at most one flight can be joined")
    check(table.waiterCount == waiting, "the table counts who waits")
    check(table.flightCount == live, "the table counts what runs")
    let isWriting = write.stage == .registered || write.stage == .stored
    let writers = isWriting && write.registration?.isSuperseded == false ? 1 : 0
    let registered = table.stripe(Self.key.hash).registrationCount
    check(registered == open + writers, "F4 nothing else is registered")
  }

  var finalViolation: String? {
    for caller in callers where caller.place != .over { return "F5 every waiter ends" }
    if table.waiterCount + table.flightCount + table.registrationCount > 0 {
      return "F4 nothing outlives its flight"
    }
    return nil
  }
}
