// What the flights of one batch share: the tasks that make their values, and how many of them are
// still wanted. A flight that is abandoned, given up or completed leaves; a task none of whose flights
// is left is cancelled. One task looks in the slower tiers for all; each call of the producer is a task
// of its own, to which the flights that it is for move (`split`). A work is open while flights may still
// come, as those of a collector's window do; whoever adds one holds a reservation meanwhile, so that the
// work neither begins nor ends in between. `BatchLoad` is the only caller; flights come here through
// their `BatchPlace`. The lock is innermost; tasks are cancelled and resumed outside it.

import Synchronization

/// The tasks behind the flights of a batch.
final class BatchWork: Sendable {
  /// The flights of one task.
  private struct Group {
    var wanted = 0
    var job: Task<Void, Never>?
    var isCancelled = false
    var isSettled = false
  }

  private struct State {
    var groups = [Group()]
    var groupOf: [Int: Int] = [:]
    var lastPosition = -1
    var reservations = 0
    var isClosed = false
    var isOver = false
    var priority: TaskPriority
    var waiting: CheckedContinuation<Void, Never>?
    var deadlines: [Deadline] = []

    var mayBegin: Bool { isClosed && reservations == 0 }
  }

  /// What has to be done outside the lock.
  private struct Consequence {
    var cancelled: [Task<Void, Never>] = []
    var deadlines: [Deadline] = []
    var resumed: CheckedContinuation<Void, Never>?
    var isOver = false
  }

  private let state: Lock<State>
  private let onOver: @Sendable () -> Void

  /// Makes work that is open.
  ///
  /// - Parameters:
  ///   - priority: that of its first caller.
  ///   - onOver: called once when it has no flights any more.
  init(priority: TaskPriority, onOver: @escaping @Sendable () -> Void = {}) {
    state = Lock(State(priority: priority))
    self.onOver = onOver
  }

  // MARK: Coming

  /// Keeps the work from beginning and ending until ``release(closing:)``.
  ///
  /// - Returns: whether flights may still come.
  func reserve() -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      state.reservations += 1
      return true
    }
  }

  /// Takes a flight in; the caller has a reservation.
  func enter() -> BatchPlace {
    let position = state.withLock { state in
      state.lastPosition += 1
      state.groupOf[state.lastPosition] = 0
      state.groups[0].wanted += 1
      return state.lastPosition
    }
    return BatchPlace(work: self, position: position)
  }

  /// Gives a reservation back.
  ///
  /// - Parameter closing: whether no flights come any more; decided by how many there are.
  func release(closing: (_ count: Int) -> Bool) {
    perform { state in
      state.reservations -= 1
      if closing(state.groupOf.count) { state.isClosed = true }
      return nil
    }
  }

  /// Says that no flights come any more.
  func close() {
    perform { state in
      state.isClosed = true
      return nil
    }
  }

  /// Waits until no flights come any more.
  func begin() async {
    await withCheckedContinuation { continuation in
      let mayBegin = state.withLock { state in
        if !state.mayBegin { state.waiting = continuation }
        return state.mayBegin
      }
      if mayBegin { continuation.resume() }
    }
  }

  // MARK: Leaving

  /// Whether a flight is still wanted.
  func isWanted(_ position: Int) -> Bool { state.withLock { $0.groupOf[position] != nil } }

  /// Takes a flight out; a task that has none left is cancelled.
  func leave(_ position: Int) {
    perform { state in
      guard let group = state.groupOf.removeValue(forKey: position) else { return nil }
      state.groups[group].wanted -= 1
      return group
    }
  }

  /// Keeps a task from being cancelled: its producer has answered, and the rest is storing.
  ///
  /// - Returns: whether the answer is still of use; else the task was cancelled before.
  func settle(_ group: Int) -> Bool {
    let (isWanted, job) = state.withLock { state in
      state.groups[group].isSettled = true
      return (!state.groups[group].isCancelled, state.groups[group].job.take())
    }
    _ = job
    return isWanted
  }

  // MARK: Tasks

  /// Moves the flights that are still wanted to a task of their own.
  ///
  /// - Parameter positions: the flights.
  /// - Returns: the group to install the task for; `nil` if none is wanted any more.
  func split(_ positions: [Int]) -> Int? {
    state.withLock { state in
      let wanted = positions.filter { state.groupOf[$0] != nil }
      if wanted.isEmpty { return nil }
      state.groups.append(Group(wanted: wanted.count))
      for position in wanted { state.groupOf[position] = state.groups.count - 1 }
      state.groups[0].wanted -= wanted.count
      return state.groups.count - 1
    }
  }

  /// The priority of the waiter that has most.
  var priority: TaskPriority { state.withLock { $0.priority } }

  /// Takes the task of a group; cancels it at once if nobody wants its flights any more.
  func install(_ job: Task<Void, Never>, group: Int, priority: TaskPriority) {
    let (isCancelled, raised) = state.withLock { state -> (Bool, TaskPriority?) in
      if state.groups[group].isCancelled { return (true, nil) }
      if !state.groups[group].isSettled { state.groups[group].job = job }
      return (false, state.priority > priority ? state.priority : nil)
    }
    if isCancelled { job.cancel() }
    if let raised { BatchWork.escalate(job, to: raised) }
  }

  /// Takes a deadline; it is cancelled when no flights are left.
  func install(_ deadline: Deadline) {
    let isOver = state.withLock { state in
      if !state.isOver { state.deadlines.append(deadline) }
      return state.isOver
    }
    if isOver { deadline.cancel() }
  }

  /// Raises the priority of the tasks; it never sinks.
  func escalate(to priority: TaskPriority) {
    let jobs = state.withLock { state -> [Task<Void, Never>] in
      guard priority > state.priority else { return [] }
      state.priority = priority
      return state.groups.compactMap(\.job)
    }
    for job in jobs { BatchWork.escalate(job, to: priority) }
  }

  private static func escalate(_ job: Task<Void, Never>, to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      job.escalatePriority(to: priority)
    }
  }

  /// Changes the state, and does outside the lock what follows from it.
  ///
  /// - Parameter change: returns the group that a flight has left, if one has.
  private func perform(_ change: (inout State) -> Int?) {
    let consequence = state.withLock { state in
      let left = change(&state)
      return Self.consequence(&state, left)
    }
    for job in consequence.cancelled { job.cancel() }
    for deadline in consequence.deadlines { deadline.cancel() }
    consequence.resumed?.resume()
    if consequence.isOver { onOver() }
  }

  private static func consequence(_ state: inout State, _ left: Int?) -> Consequence {
    var consequence = Consequence()
    if state.reservations == 0, state.groupOf.isEmpty, !state.isOver {
      state.isOver = true
      state.isClosed = true
      consequence.isOver = true
      consequence.deadlines = state.deadlines
      state.deadlines = []
    }
    if state.mayBegin { consequence.resumed = state.waiting.take() }
    // The first group has no flights either when all have moved on: its task ends by itself then.
    for group in [left, consequence.isOver ? 0 : nil] {
      guard let group, state.groups[group].wanted == 0, group > 0 || state.isOver else { continue }
      state.groups[group].isCancelled = true
      if let job = state.groups[group].job.take() { consequence.cancelled.append(job) }
    }
    return consequence
  }
}
