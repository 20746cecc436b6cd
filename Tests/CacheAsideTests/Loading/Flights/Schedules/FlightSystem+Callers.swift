@testable import CacheAside

/// What callers do.
extension FlightSystem {
  func look(_ caller: Int) {
    if callers[caller].plan.isBackground { return refresh(caller) }
    let reloads = callers[caller].plan.reloads
    let stripe = table.stripe(Self.key.hash)
    let hadOpen = runs.contains(where: \.isOpen)
    if reloads { closeRuns() }
    let (flight, isNew) = stripe.enter(Self.key, supersedes: reloads) {
      table.makeFlight(scenario.whenUnobserved, .medium) {
        stripe.remove($0.registration, for: Self.key)
      }
    }
    if isNew {
      check(!hadOpen || reloads, "F1 there is one flight to join")
      callers[caller].place = reloads ? .probed : .leading
      lead(caller, flight)
      callers[caller].slot = flight.leaderSlot
      callers[caller].isWaiting = true
    } else if let index = runs.firstIndex(where: { $0.flight === flight }) {
      check(runs[index].isOpen, "F5 only an open flight stands in the table")
      callers[caller].place = .found
      callers[caller].flight = index
    }
  }

  private func refresh(_ caller: Int) {
    let hadOpen = runs.contains(where: \.isOpen)
    let flight = table.enterAlone(Self.key.key, hash: Self.key.hash, priority: .medium)
    check((flight == nil) == hadOpen, "F1 a background load starts unless one is there")
    callers[caller].place = flight == nil ? .over : .probed
    if let flight { lead(caller, flight) }
  }

  func replace(_ run: Int) {
    let wasOpen = runs[run].isOpen
    let flight = table.enterAlone(
      Self.key.key,
      hash: Self.key.hash,
      replacing: runs[run].flight,
      priority: .medium
    )
    check((flight != nil) == wasOpen, "F1 a flight gives its key up while it has it")
    callers.append(Caller(plan: .background, place: flight == nil ? .over : .probed))
    guard let flight else { return }
    runs[run].isClosed = true
    lead(callers.count - 1, flight)
  }

  private func lead(_ caller: Int, _ flight: Flight<Int>) {
    callers[caller].flight = runs.count
    runs.append(Run(flight: flight, begun: now, wanting: [caller]))
  }

  func join(_ caller: Int) {
    let index = callers[caller].flight
    let run = runs[index]
    var slot = run.flight.join(priority: .medium)
    if scenario.fault == .joinAtZero, run.isAbandoned {
      slot = WaiterSlot(index: .max, generation: 0)
    }
    guard let slot else {
      check(!run.isOpen, "F1 an open flight can be joined")
      table.stripe(Self.key.hash).remove(run.flight.registration, for: Self.key)
      callers[caller].place = .outside
      return
    }
    check(!run.isCancelled, "F2 a flight whose work was cancelled is never joined")
    check(run.isOpen, "F4 a flight that was superseded is never joined")
    callers[caller].slot = slot
    callers[caller].place = .seated
    callers[caller].isWaiting = true
    runs[index].wanting.insert(caller)
  }

  func probe(_ caller: Int) {
    guard let value = memory?.value, value != Self.oldValue else {
      callers[caller].place = .probed
      return
    }
    callers[caller].place = .seated
    complete(callers[caller].flight, .success(value))
  }

  func start(_ caller: Int) {
    callers[caller].place = .started
    runs[callers[caller].flight].job = Task(executorPreference: idle) {}
  }

  func install(_ caller: Int) {
    let index = callers[caller].flight
    guard let job = runs[index].job else { return }
    runs[index].isInstalled = true
    runs[index].flight.install(job, priority: .medium)
    callers[caller].place = callers[caller].plan.isBackground ? .over : .seated
  }

  func park(_ caller: Int) {
    guard let slot = callers[caller].slot else { return }
    let flight = runs[callers[caller].flight].flight
    callers[caller].place = .parked
    if let end = flight.park(told.waiter(caller, of: flight), in: slot) { hear(end, caller) }
  }

  func cancel(_ caller: Int) {
    let index = callers[caller].flight
    guard let slot = callers[caller].slot else { return }
    callers[caller].isCancelled = true
    callers[caller].isWaiting = false
    runs[index].wanting.remove(caller)
    if runs[index].wanting.isEmpty, scenario.whenUnobserved == .cancel {
      runs[index].isAbandoned = true
    }
    runs[index].flight.leave(slot)
  }

  func settle(_ caller: Int) {
    guard let slot = callers[caller].slot else { return }
    let run = runs[callers[caller].flight]
    callers[caller].isImpatient = true
    if run.hasFallback { callers[caller].isWaiting = false }
    run.flight.release(slot, .settled)
  }

  func timeOut(_ caller: Int) {
    guard let slot = callers[caller].slot else { return }
    callers[caller].isTimedOut = true
    callers[caller].hadFallback = runs[callers[caller].flight].hasFallback
    callers[caller].isWaiting = false
    runs[callers[caller].flight].flight.release(slot, .timedOut)
  }
}
