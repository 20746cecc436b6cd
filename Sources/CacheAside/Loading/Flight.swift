// One run of a producer and everybody who waits for it (single-flight).
//
// `FlightStateMachine` decides under the lock, this class acts after unlocking: it resumes waiters,
// cancels and escalates tasks, releases results. The order of an ending is fixed: the work has
// stored its value, then the flight leaves the table, then the result is published, then the
// waiters are resumed, first come first.
//
// `FlightTable` makes flights and runs their work. Callers wait and leave through a `FlightSeat`, or a
// `BatchWait` for several, which a `PatienceTimer` releases. A `BatchLoad`, a `CallbackAnswer` and the
// reads of `Cache+ReadingTogether` end flights whose work they are; `Cache` and `BatchLoad` offer
// something older. The lock is taken under no other, and none is taken under it.

import Synchronization

/// One run of a producer, shared by all callers of its key.
final class Flight<Output: Sendable>: Sendable {
  struct State: Sendable {
    var machine: FlightStateMachine
    var result: Result<Output, any Error>?
    var fallback: Fallback?
    /// What callers get whose patience is at its end, by their slots.
    var settled: [WaiterSlot: Output] = [:]
  }

  /// Something older that can be had instead of the result, if it still can.
  typealias Fallback = @Sendable (StaleReason) -> Output?

  /// The flight's identity in the table and in the graph of waits.
  let registration: Registration

  /// The slot of the caller that started the flight, reserved from the start.
  let leaderSlot: WaiterSlot

  let state: Lock<State>
  let time: TimeSource
  let counters: FlightCounters
  /// Since when it runs, if it began in the background: monotonic nanoseconds; else `max`.
  let backgroundSince: Int64
  private let unlink: @Sendable (Flight) -> [Flight]
  /// Its place in work that it shares with flights of other keys.
  private let place: BatchPlace?

  /// Makes a flight with its leader waiting.
  ///
  /// - Parameters:
  ///   - registration: its identity.
  ///   - whenUnobserved: what happens when the last waiter leaves.
  ///   - priority: the leader's priority.
  ///   - time: where timers come from.
  ///   - counters: the table's counters.
  ///   - backgroundSince: since when it runs, if it begins in the background.
  ///   - place: its place in work that it shares with others; it installs no task of its own then.
  ///   - unlink: takes the flight out of the table, by identity, and closes its registration; gives
  ///     the loads of its key that its answer has closed.
  init(
    registration: Registration,
    whenUnobserved: WhenUnobserved,
    priority: TaskPriority,
    time: TimeSource,
    counters: FlightCounters,
    backgroundSince: Int64 = .max,
    place: BatchPlace? = nil,
    unlink: @escaping @Sendable (Flight) -> [Flight]
  ) {
    var machine = FlightStateMachine(whenUnobserved: whenUnobserved, priority: priority)
    guard case .joined(let slot, _, _) = machine.join(priority: priority) else {
      preconditionFailure("a new flight can be joined")
    }
    self.registration = registration
    leaderSlot = slot
    state = Lock(State(machine: machine))
    self.time = time
    self.counters = counters
    self.backgroundSince = backgroundSince
    self.place = place
    self.unlink = unlink
    counters.addFlights(1)
    counters.addWaiters(1)
  }

  // MARK: Waiters

  /// How many callers wait or are about to.
  var waiterCount: Int { state.withLock { $0.machine.waiterCount } }

  /// Reserves a slot, before the caller suspends.
  ///
  /// - Parameter priority: the caller's priority; the work is raised to it.
  /// - Returns: the slot, or `nil` if the flight is over or superseded: look in the table again.
  func join(priority: TaskPriority) -> WaiterSlot? {
    let joining = state.withLock { state -> FlightStateMachine.Joining in
      guard !registration.isSuperseded else { return .refused }
      return state.machine.join(priority: priority)
    }
    guard case .joined(let slot, let escalate, let stop) = joining else { return nil }
    counters.addWaiters(1)
    stop?.cancel()
    if let escalate { Self.escalate(escalate, to: priority) }
    place?.escalate(to: priority)
    return slot
  }

  /// Keeps a waiter until the flight ends.
  ///
  /// - Parameters:
  ///   - waiter: who waits.
  ///   - slot: the slot reserved for it.
  /// - Returns: how the wait ended, if it is over already; the waiter is then not resumed.
  func park(_ waiter: Waiter, in slot: WaiterSlot) -> Waiter.End? {
    let parking = state.withLock { $0.machine.park(waiter, in: slot) }
    guard case .over(let end) = parking else { return nil }
    return end
  }

  /// Takes a caller out; the last one to leave may end the work.
  ///
  /// Without effect on a flight that is over.
  ///
  /// - Parameter slot: the caller's slot.
  func leave(_ slot: WaiterSlot) {
    let leaving = state.withLock { state -> FlightStateMachine.Leaving in
      let before = state.machine.waiterCount
      let leaving = state.machine.leave(slot)
      if state.machine.waiterCount < before { counters.addWaiters(-1) }
      return leaving
    }
    perform(leaving.consequence)
    leaving.waiter?.resume(.left)
  }

  /// Takes out a caller that has not parked and never will; else as ``leave(_:)``.
  ///
  /// - Parameter slot: the caller's slot.
  func withdraw(_ slot: WaiterSlot) {
    let consequence = state.withLock { state -> FlightStateMachine.Consequence in
      let before = state.machine.waiterCount
      let consequence = state.machine.withdraw(slot)
      if state.machine.waiterCount < before { counters.addWaiters(-1) }
      return consequence
    }
    perform(consequence)
  }

  /// Raises the priority of the work.
  ///
  /// - Parameter priority: a waiter's new priority.
  func escalate(to priority: TaskPriority) {
    let job = state.withLock { $0.machine.escalate(to: priority) }
    if let job { Self.escalate(job, to: priority) }
    place?.escalate(to: priority)
  }

  /// Whether there is work to cancel: a task of its own, or one that it shares.
  var isCancellable: Bool { place != nil || state.withLock { $0.machine.hasJob } }

  /// The result, if the flight has ended.
  var published: Result<Output, any Error>? { state.withLock { $0.result } }

  /// The result, once a wait has ended with ``Waiter/End/ended``.
  var result: Result<Output, any Error> {
    guard let result = published else {
      preconditionFailure("a flight has its result before its waiters are resumed")
    }
    return result
  }

  // MARK: Work

  /// Takes the task that does the work; cancels it at once if everybody left meanwhile.
  ///
  /// - Parameters:
  ///   - job: the task.
  ///   - priority: the priority it was started with.
  func install(_ job: Task<Void, Never>, priority: TaskPriority) {
    switch state.withLock({ $0.machine.install(job, priority: priority) }) {
    case .none: break
    case .cancel: job.cancel()
    case .escalate(let priority): Self.escalate(job, to: priority)
    }
  }

  /// Ends the flight: unlinks it, publishes the result and resumes the waiters.
  ///
  /// Called once, when the value is stored; the result of a flight that was given up is dropped.
  ///
  /// - Parameter result: what all waiters get.
  func complete(_ result: Result<Output, any Error>) {
    let others = unlink(self)
    registration.end()
    let finishing = finish(result)
    counters.addFlights(-1)
    finishing?.limit?.cancel()
    tell(finishing)
    // Who waits for a load that this answer has closed waits no longer.
    if finishing != nil, case .success = result { for other in others { other.giveUp { result } } }
  }

  /// Ends the flight before its work has: its key is free, the work is cancelled and what it still
  /// produces is dropped.
  ///
  /// - Parameters:
  ///   - ifUnobserved: whether it ends only if nobody waits for it.
  ///   - result: what all waiters get; called once it is certain that they get it, outside all locks
  ///     and before the flight leaves the table.
  func giveUp(ifUnobserved: Bool = false, _ result: () -> Result<Output, any Error>) {
    let isClosing = state.withLock { state in
      let isClosing = state.machine.close(ifUnobserved: ifUnobserved)
      // What its work fails with from now on is no news.
      if isClosing { registration.end() }
      return isClosing
    }
    guard isClosing else { return }
    let result = result()
    _ = unlink(self)
    let finishing = finish(result, givingUp: true)
    finishing?.job?.cancel()
    tell(finishing)
    // It may be what runs this, and the waiters may be completions.
    finishing?.limit?.cancel()
  }

  private func finish(
    _ result: Result<Output, any Error>,
    givingUp: Bool = false
  ) -> FlightStateMachine.Finishing? {
    let (finishing, fallback) = state.withLock { state in
      let finishing = state.machine.finish(givingUp: givingUp)
      if finishing != nil { state.result = result }
      defer { state.fallback = nil }
      return (finishing, state.fallback)
    }
    // Released outside the lock: it may hold a value.
    _ = fallback
    if finishing != nil { place?.leave() }
    return finishing
  }

  private func tell(_ finishing: FlightStateMachine.Finishing?) {
    guard let finishing else { return }
    counters.addWaiters(finishing.waiters.released - finishing.waiters.count)
    finishing.stop?.cancel()
    finishing.waiters.forEachParked { $0.resume(.ended) }
  }

  private func perform(_ consequence: FlightStateMachine.Consequence) {
    switch consequence {
    case .none: break
    case .abandon(let job, let limit):
      registration.end()
      _ = unlink(self)
      job?.cancel()
      limit?.cancel()
      let fallback = state.withLock { $0.fallback.take() }
      _ = fallback
      place?.leave()
    case .startTimer(let limit, let spell):
      startTimer(limit, spell: spell)
    }
  }

  private func startTimer(_ limit: Duration, spell: Int) {
    let deadline = Lifetime.sum(time.precise, limit.wholeNanoseconds)
    let timer = time.call(at: deadline) { [self] in
      perform(state.withLock { $0.machine.unobservedTimeElapsed(spell: spell) })
    }
    if !state.withLock({ $0.machine.install(timer: timer, spell: spell) }) { timer.cancel() }
  }

  private static func escalate(_ job: Task<Void, Never>, to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      job.escalatePriority(to: priority)
    }
  }
}
