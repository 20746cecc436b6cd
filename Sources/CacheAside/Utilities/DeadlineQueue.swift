// All deadlines of one clock, and the tasks that sleep until the next of them.
//
// A sleep of the system that is cancelled keeps its timer until its moment comes. So nobody sleeps for
// a load of his own: a deadline lies in a heap, which it leaves when it is cancelled, and a sleeper
// waits for the earliest. A deadline that comes later than a sleeper wakes needs none; one that comes
// earlier gets another sleeper, and the first sleeps on. A sleeper that wakes for nothing goes on for
// the next deadline, or ends when there is none.
//
// Invariants: while there are deadlines, some sleeper wakes at the earliest or before. A sleeper that
// is alone sleeps until a deadline; one that comes to others sleeps for the largest power of two of
// nanoseconds that is not too long. Two of one power are never asleep together, since the second is
// made only where all others wake later. So there are at most 64, and mostly one or two, however
// many deadlines there are and in whatever order they come.
//
// Another clock than the system's forgets a sleep that is cancelled (`TimeProvider`): there one sleeper
// waits for exactly the earliest deadline, and there is none without deadlines.
//
// Actions run one after another in the sleeper that found them due, outside the lock, so they must be
// short: whatever may run code of a user starts a task (`TimeSource.call`). The lock is innermost.
import Synchronization

/// The deadlines of one clock.
package final class DeadlineQueue: Sendable {
  private struct Entry: HeapElement {
    let moment: Int64
    /// Which of equal ones came first.
    let order: UInt64
    let deadline: Deadline
    let action: @Sendable () -> Void

    func isBefore(_ other: Entry) -> Bool { (moment, order) < (other.moment, other.order) }

    func lies(at index: Int?) { deadline.position.store(index ?? -1, ordering: .relaxed) }
  }

  private struct Sleeper {
    let id: UInt64
    var moment: Int64
    var task: Task<Void, Never>?
  }

  private struct State {
    var heap = IndexedHeap<Entry>()
    var lastOrder: UInt64 = 0
    var sleepers: [Sleeper] = []
    var lastID: UInt64 = 0
  }

  /// A queue that its registry does not keep.
  private struct Known { weak var queue: DeadlineQueue? }

  private static let others = Lock<[ObjectIdentifier: Known]>([:])

  /// The queue of the system's clock.
  package static let system = DeadlineQueue(nil)

  private let state = Lock(State())
  private let provider: (any TimeProvider)?

  private init(_ provider: (any TimeProvider)?) { self.provider = provider }

  deinit {
    guard let provider else { return }
    let clock = ObjectIdentifier(provider)
    let successor = Self.others.withLock { others -> DeadlineQueue? in
      // Another may have been made meanwhile.
      let successor = others[clock]?.queue
      if successor == nil { others[clock] = nil }
      return successor
    }
    // Released outside the lock: this may be the last reference by now, and its end comes here, too.
    _ = successor
  }

  /// The queue of a clock; kept by its deadlines and sleepers.
  static func of(_ provider: (any TimeProvider)?) -> DeadlineQueue {
    guard let provider else { return system }
    return others.withLock { others in
      let clock = ObjectIdentifier(provider)
      if let known = others[clock]?.queue { return known }
      let queue = DeadlineQueue(provider)
      others[clock] = Known(queue: queue)
      return queue
    }
  }

  /// How many deadlines have not come.
  package var count: Int { state.withLock { $0.heap.count } }

  /// How many tasks sleep until the next ones.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Adds a deadline.
  ///
  /// O(log n) in those that have not come; O(1) for the last of them.
  ///
  /// - Parameters:
  ///   - moment: when it comes, in monotonic nanoseconds of the clock.
  ///   - action: what is done then; short, and no code of a user's.
  /// - Returns: what cancels it.
  package func add(at moment: Int64, _ action: @escaping @Sendable () -> Void) -> Deadline {
    let deadline = Deadline(in: self)
    let (sleeper, idle) = state.withLock { state -> (Sleeper?, [Sleeper]) in
      state.lastOrder += 1
      state.heap.add(
        Entry(moment: moment, order: state.lastOrder, deadline: deadline, action: action)
      )
      guard state.heap.first?.deadline === deadline else { return (nil, []) }
      return arm(&state)
    }
    go(sleeper, idle)
    return deadline
  }

  func remove(_ deadline: Deadline) {
    let (entry, (sleeper, idle)) = state.withLock { state -> (Entry?, (Sleeper?, [Sleeper])) in
      let position = deadline.position.load(ordering: .relaxed)
      if position < 0 { return (nil, (nil, [])) }
      let entry = state.heap.remove(at: position)
      return (entry, position == 0 ? arm(&state) : (nil, []))
    }
    // Released outside the lock: it may hold a user's objects.
    _ = entry
    go(sleeper, idle)
  }

  // MARK: Sleeping

  /// Makes a sleeper for the earliest deadline, unless one wakes in time.
  ///
  /// - Parameters:
  ///   - state: the state.
  ///   - known: one that has just woken, and goes on.
  /// - Returns: the one to start, and those to stop, which only a clock has that forgets them.
  private func arm(_ state: inout State, _ known: Sleeper? = nil) -> (Sleeper?, [Sleeper]) {
    var idle: [Sleeper] = []
    if provider != nil, state.sleepers.first?.moment != state.heap.first?.moment {
      idle = state.sleepers
      state.sleepers = []
    }
    guard let first = state.heap.first?.moment,
      !state.sleepers.contains(where: { $0.moment <= first })
    else { return (nil, idle) }
    state.lastID += 1
    let moment = state.sleepers.isEmpty ? first : Self.step(towards: first)
    let sleeper = Sleeper(id: known?.id ?? state.lastID, moment: moment, task: known?.task)
    state.sleepers.append(sleeper)
    return (sleeper, idle)
  }

  /// The last moment before a deadline that is a power of two of nanoseconds away.
  private static func step(towards moment: Int64) -> Int64 {
    let now = SystemClock.precise()
    let rest = moment - now
    return rest < 1 ? moment : now + (1 << (63 - rest.leadingZeroBitCount))
  }

  private func go(_ sleeper: Sleeper?, _ idle: [Sleeper]) {
    for sleeper in idle { sleeper.task?.cancel() }
    if let sleeper { start(sleeper.id) }
  }

  private func start(_ id: UInt64) {
    WorkLog.count(.timer)
    let task = TimeSource(provider: provider).startTask(inheritsContext: false) { [self] in
      await sleep(id)
    }
    guard provider != nil else { return }
    // A sleeper that has gone meanwhile had no task to cancel.
    let isGone = state.withLock { state in
      let index = state.sleepers.firstIndex { $0.id == id }
      if let index { state.sleepers[index].task = task }
      return index == nil
    }
    if isGone { task.cancel() }
  }

  private func sleep(_ id: UInt64) async {
    while let moment = state.withLock({ $0.sleepers.first { $0.id == id }?.moment }) {
      // Who is cancelled was taken out before.
      do { try await sleep(until: moment) } catch { return }
      for entry in wake(id) { entry.action() }
    }
  }

  private func sleep(until moment: Int64) async throws {
    if let provider { return try await provider.sleep(untilNanoseconds: moment) }
    while true {
      let now = SystemClock.precise()
      if moment <= now { return }
      try await Task.sleep(for: .nanoseconds(moment - now), tolerance: nil, clock: .continuous)
    }
  }

  /// Takes out what is due, and sets the moment at which the sleeper wakes next, if it is needed.
  private func wake(_ id: UInt64) -> [Entry] {
    let now = TimeSource(provider: provider).precise
    return state.withLock { state in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else { return [] }
      let sleeper = state.sleepers.remove(at: index)
      var due: [Entry] = []
      while let first = state.heap.first, first.moment <= now {
        due.append(state.heap.remove(at: 0))
      }
      _ = arm(&state, sleeper)
      return due
    }
  }
}
