// What one flight does next: a pure value without lock, time or suspension.
//
// A flight is running, then ended (it has a result, its work's own or the one it was given when its
// time was up) or abandoned (nobody wanted it any more and its work was cancelled). In between it may
// be closing: its time is up, and what its waiters get is being found out. Each method changes the
// state and returns what has to be done; `Flight` calls it under its lock and acts after unlocking.
// Invariants: a waiter is handed out at most once; a flight that is not running refuses joiners; its
// job is handed out for cancelling at most once; a result of its work is refused from its closing on.

/// The state of one flight.
struct FlightStateMachine: Sendable {
  /// The task of the flight's work.
  typealias Job = Task<Void, Never>

  enum Phase { case running, closing, ended, abandoned }

  private(set) var phase = Phase.running
  var waiters = WaiterList()
  private let whenUnobserved: WhenUnobserved
  private var priority: TaskPriority
  private var job: Job?
  /// The end of a spell without waiters.
  private var timer: Deadline?
  private var spell = 0
  /// Whether it ended before its work.
  private var isGivenUp = false
  /// When the flight's time is up.
  private var limit: Deadline?
  /// Whether there is something older for callers who do not want to wait longer.
  var hasFallback = false
  /// The slots of callers who would take something older, and there is none yet.
  var impatient: Set<WaiterSlot> = []

  /// Makes a running flight that nobody waits for yet.
  ///
  /// - Parameters:
  ///   - whenUnobserved: what happens when the last waiter leaves.
  ///   - priority: the leader's priority.
  init(whenUnobserved: WhenUnobserved, priority: TaskPriority) {
    self.whenUnobserved = whenUnobserved
    self.priority = priority
  }

  /// Whether a task does its work.
  var hasJob: Bool { job != nil }

  /// Whether its waiters have no result yet.
  var isOpen: Bool { phase == .running || phase == .closing }

  /// How many callers wait or are about to.
  var waiterCount: Int { waiters.count - waiters.released }

  // MARK: Coming

  /// What joining led to.
  enum Joining: Sendable {
    /// Nobody can wait for this flight any more.
    case refused
    /// A slot is reserved; escalate the task and cancel the deadline.
    case joined(slot: WaiterSlot, escalate: Job?, stop: Deadline?)
  }

  /// Reserves a slot for a caller that is about to wait.
  ///
  /// - Parameter priority: the caller's priority.
  /// - Returns: what to do.
  mutating func join(priority: TaskPriority) -> Joining {
    guard phase == .running else { return .refused }
    let slot = waiters.reserve()
    spell += 1
    defer { timer = nil }
    return .joined(slot: slot, escalate: escalate(to: priority), stop: timer)
  }

  /// What parking led to.
  enum Parking: Sendable {
    /// The waiter is kept and will be resumed.
    case suspended
    /// The wait is over already.
    case over(Waiter.End)
  }

  /// Keeps a waiter in its slot.
  ///
  /// - Parameters:
  ///   - waiter: who waits.
  ///   - slot: the slot that was reserved for it.
  /// - Returns: whether it is kept.
  mutating func park(_ waiter: Waiter, in slot: WaiterSlot) -> Parking {
    switch phase {
    case .running, .closing: waiters.park(waiter, in: slot).map(Parking.over) ?? .suspended
    case .ended: .over(.ended)
    case .abandoned: .over(.left)
    }
  }

  // MARK: Leaving

  /// What has to be done because a caller left.
  struct Leaving: Sendable {
    /// Who has to be resumed with ``Waiter/End/left``.
    var waiter: Waiter?
    /// What follows from it.
    var consequence = Consequence.none
  }

  /// What follows from a flight that nobody waits for.
  enum Consequence: Sendable {
    case none
    /// Unlink the flight, then cancel its task and its limit.
    case abandon(job: Job?, limit: Deadline?)
    /// Set a deadline and install it for this spell without waiters.
    case startTimer(Duration, spell: Int)
  }

  /// Takes a caller out; without effect once the flight is over.
  ///
  /// - Parameter slot: the caller's slot.
  /// - Returns: what to do.
  mutating func leave(_ slot: WaiterSlot) -> Leaving {
    guard isOpen else { return Leaving() }
    var leaving = Leaving()
    impatient.remove(slot)
    switch waiters.leave(slot) {
    case .none: return leaving
    case .beforeParking: break
    case .parked(let waiter): leaving.waiter = waiter
    }
    leaving.consequence = afterLeaving()
    return leaving
  }

  /// Takes out a caller that will not park: it was answered, or must not wait.
  ///
  /// Its slot is free for the next one, so that a flight beside which many are answered does not grow.
  ///
  /// - Parameter slot: the caller's slot.
  /// - Returns: what to do.
  mutating func withdraw(_ slot: WaiterSlot) -> Consequence {
    guard isOpen, waiters.withdraw(slot) else { return .none }
    return afterLeaving()
  }

  private mutating func afterLeaving() -> Consequence {
    guard phase == .running, waiters.count == 0 else { return .none }
    switch whenUnobserved.choice {
    case .cancel: return abandon()
    case .finish: return .none
    case .finishWithin(let limit): return .startTimer(limit, spell: spell)
    }
  }

  /// Gives the flight up when a spell without waiters has lasted its time.
  ///
  /// - Parameter spell: the spell that the timer was started for.
  /// - Returns: what to do.
  mutating func unobservedTimeElapsed(spell: Int) -> Consequence {
    guard phase == .running, waiters.count == 0, spell == self.spell else { return .none }
    return abandon()
  }

  private mutating func abandon() -> Consequence {
    phase = .abandoned
    waiters = WaiterList()
    timer = nil
    impatient = []
    defer {
      job = nil
      limit = nil
    }
    return .abandon(job: job, limit: limit)
  }

  // MARK: Working

  /// What installing the task of the work led to.
  enum Installing: Sendable {
    case none
    /// Everybody left meanwhile, or its time was up.
    case cancel
    /// A caller of higher priority joined meanwhile.
    case escalate(TaskPriority)
  }

  /// Takes the task that does the work.
  ///
  /// - Parameters:
  ///   - job: the task.
  ///   - priority: the priority it was started with.
  /// - Returns: what to do to it.
  mutating func install(_ job: Job, priority: TaskPriority) -> Installing {
    switch phase {
    case .abandoned, .closing: return .cancel
    case .ended: return isGivenUp ? .cancel : .none
    case .running:
      self.job = job
      return self.priority > priority ? .escalate(self.priority) : .none
    }
  }

  /// Takes the deadline that ends a spell without waiters.
  ///
  /// - Parameters:
  ///   - timer: the deadline.
  ///   - spell: the spell it was set for.
  /// - Returns: whether it is still of use; else cancel it.
  mutating func install(timer: Deadline, spell: Int) -> Bool {
    guard phase == .running, waiters.count == 0, spell == self.spell else { return false }
    self.timer = timer
    return true
  }

  /// Takes the deadline at which the flight is given up.
  ///
  /// - Parameter limit: the deadline.
  /// - Returns: whether it is still of use; else cancel it.
  mutating func install(limit: Deadline) -> Bool {
    guard phase == .running else { return false }
    self.limit = limit
    return true
  }

  /// Raises the priority of the work; it never sinks.
  ///
  /// - Parameter priority: a waiter's priority.
  /// - Returns: the task to escalate, if there is one and it has less.
  mutating func escalate(to priority: TaskPriority) -> Job? {
    guard phase == .running, priority > self.priority else { return nil }
    self.priority = priority
    return job
  }

  /// Decides that the flight ends before its work, whose result is refused from now on.
  ///
  /// - Parameter ifUnobserved: whether it ends only if nobody waits for it.
  /// - Returns: whether it does; then ``finish(givingUp:)`` follows.
  mutating func close(ifUnobserved: Bool = false) -> Bool {
    guard phase == .running, !ifUnobserved || waiterCount == 0 else { return false }
    phase = .closing
    return true
  }

  /// Ends the flight with a result.
  ///
  /// - Parameter givingUp: whether it was closed before its work has ended.
  /// - Returns: whom to tell, or `nil` if the flight was over and the result is to be dropped.
  mutating func finish(givingUp: Bool = false) -> Finishing? {
    guard phase == (givingUp ? .closing : .running) else { return nil }
    phase = .ended
    isGivenUp = givingUp
    let finishing = Finishing(waiters: waiters, stop: timer, limit: limit, job: job)
    waiters = WaiterList()
    timer = nil
    limit = nil
    job = nil
    impatient = []
    return finishing
  }
}
