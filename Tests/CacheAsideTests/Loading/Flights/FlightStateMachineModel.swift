@testable import CacheAside

/// One caller, the work and the timer of a flight, step by step; explored over all orders.
///
/// The model keeps what a caller may see and records each broken promise. With patience, callers
/// may want to wait only so long, and the flight may be given up.
struct FlightStateMachineModel {
  /// Something that may happen next.
  enum Step: Hashable {
    case join(Int)
    case park(Int)
    case cancel(Int)
    case install
    case finish
    case installTimer(Int)
    case elapse(Int)
    case escalate
    case timeOut(Int)
    case settle(Int)
    case offer
    case installLimit
    case giveUp
  }

  /// Where a caller stands.
  enum Caller {
    case outside, reserved, cancelledEarly, parked, ended, left, refused
    /// Its wait is over although it has not left; early is before it parked.
    case timedOutEarly, settledEarly, timedOut, settled
  }

  var machine: FlightStateMachine
  var callers: [Caller]
  var order: [Int] = []
  var isInstalled = false
  var isFinished = false
  var isAbandoned = false
  var cancels = 0
  var escalations = 0
  var spells: [Int] = []
  var timers: [Int] = []
  var faults: [String] = []
  let hasPatience: Bool
  var impatient: Set<Int> = []
  var hasFallback = false
  var isGivenUp = false
  /// Whether its time limit has passed, running or not.
  var wasGivenUp = false
  var hasLimit = false
  /// Callers that were released from their wait and count as ones who want the result.
  var released = 0
  let rule: WhenUnobserved
  let job: Task<Void, Never>
  let woken: FlightWoken

  init(
    callers count: Int,
    rule: WhenUnobserved,
    job: Task<Void, Never>,
    woken: FlightWoken,
    hasPatience: Bool = false
  ) {
    self.hasPatience = hasPatience
    machine = FlightStateMachine(whenUnobserved: rule, priority: .low)
    callers = Array(repeating: .outside, count: count)
    self.rule = rule
    self.job = job
    self.woken = woken
    take(.join(0))
  }

  /// Callers that wait or are about to, as the model sees it.
  var waiting: Int { callers.count { $0 == .reserved || $0 == .parked } }

  /// Everything that may happen next.
  var enabled: [Step] {
    var steps: [Step] = []
    for (index, caller) in callers.enumerated() {
      switch caller {
      case .outside: steps.append(.join(index))
      case .reserved: steps += [.park(index), .cancel(index)] + patience(of: index)
      case .cancelledEarly, .timedOutEarly, .settledEarly: steps.append(.park(index))
      case .parked: steps += [.cancel(index)] + patience(of: index)
      case .ended, .left, .refused, .timedOut, .settled: break
      }
    }
    if hasPatience {
      if !hasFallback { steps.append(.offer) }
      if !hasLimit { steps.append(.installLimit) }
      if hasLimit, !wasGivenUp { steps.append(.giveUp) }
    }
    if !isInstalled { steps.append(.install) }
    if !isFinished { steps.append(.finish) }
    if escalations == 0 { steps.append(.escalate) }
    steps += spells.map(Step.installTimer) + timers.map(Step.elapse)
    return steps
  }

  mutating func check(_ holds: Bool, _ promise: String) {
    if !holds { faults.append(promise) }
  }

  /// The slot of a caller; its index may be reused, its generation is the caller's own.
  private(set) var slots: [Int: WaiterSlot] = [:]

  mutating func take(_ step: Step) {
    switch step {
    case .join(let caller): join(caller)
    case .park(let caller): park(caller)
    case .cancel(let caller): cancel(caller)
    case .install: install()
    case .finish: finish()
    case .installTimer(let spell):
      spells.removeAll { $0 == spell }
      let isOfUse = machine.install(timer: Deadline(), spell: spell)
      check(!isOfUse || wanting == 0, "a timer is kept in a spell without waiters only")
    case .elapse(let spell):
      timers.removeAll { $0 == spell }
      perform(machine.unobservedTimeElapsed(spell: spell))
    case .escalate:
      escalations += 1
      let raised = machine.escalate(to: .high)
      let isAtWork = isInstalled && !isOver
      check((raised != nil) == isAtWork, "work that goes on is raised")
      check(machine.escalate(to: .high) == nil, "nothing is raised twice to one priority")
    case .timeOut(let caller): timeOut(caller)
    case .settle(let caller): settle(caller)
    case .offer: offer()
    case .installLimit: installLimit()
    case .giveUp: giveUp()
    }
    check(machine.waiterCount == (isOver ? 0 : waiting), "the machine counts who waits")
    checkLate()
  }

  var isOver: Bool { isFinished || isAbandoned || isGivenUp }

  /// Callers that want the result, whether or not they still wait for it.
  var wanting: Int { waiting + released }

  private mutating func join(_ caller: Int) {
    guard case .joined(let slot, _, _) = machine.join(priority: .low) else {
      check(isOver, "only a flight that is over refuses")
      callers[caller] = .refused
      return
    }
    check(!isOver, "a flight that is over refuses")
    check(!slots.contains { $0.value == slot && isSlotInUse(by: $0.key) }, "one caller, one slot")
    slots[caller] = slot
    order.append(caller)
    callers[caller] = .reserved
  }

  private func isSlotInUse(by caller: Int) -> Bool {
    [.reserved, .parked, .cancelledEarly, .timedOutEarly, .settledEarly].contains(callers[caller])
  }

  private mutating func park(_ caller: Int) {
    guard let slot = slots[caller] else { return }
    let woken = woken
    switch machine.park(.callback { _ in woken.add(caller) }, in: slot) {
    case .suspended:
      check(callers[caller] == .reserved && !isOver, "only a live caller of a live flight parks")
      callers[caller] = .parked
    case .over(.ended):
      check((isFinished || isGivenUp) && !isAbandoned, "a result comes from a flight that ended")
      callers[caller] = .ended
    case .over(.left):
      check(callers[caller] == .cancelledEarly, "only a cancelled caller leaves")
      callers[caller] = .left
    case .over(.timedOut):
      check(callers[caller] == .timedOutEarly, "only who waited long enough gives up")
      callers[caller] = .timedOut
    case .over(.settled):
      check(callers[caller] == .settledEarly && hasFallback, "who is impatient takes what there is")
      callers[caller] = .settled
    }
  }

  private mutating func cancel(_ caller: Int) {
    guard let slot = slots[caller] else { return }
    let leaving = machine.leave(slot)
    leaving.waiter?.resume(.left)
    let told = woken.take()
    if callers[caller] == .parked {
      check(told == (isOver ? [] : [caller]), "a parked caller is told that it left")
      callers[caller] = .left
    } else {
      check(told.isEmpty, "nobody else is told")
      callers[caller] = .cancelledEarly
    }
    perform(leaving.consequence)
  }

  private mutating func install() {
    isInstalled = true
    switch machine.install(job, priority: .low) {
    case .none: check(!isAbandoned && !isGivenUp, "work that nobody waits for is cancelled")
    case .cancel:
      check(isAbandoned || isGivenUp, "work is cancelled when everybody left, or given up")
      cancels += 1
    case .escalate:
      check(!isOver && escalations == 1, "work is raised for a waiter of higher priority")
    }
    check(cancels <= 1, "work is cancelled once")
  }

  private mutating func finish() {
    let finishing = machine.finish()
    let isLate = isAbandoned || isGivenUp
    check((finishing == nil) == isLate, "only a flight that was given up drops its result")
    check(finishing.map { ($0.limit != nil) == hasLimit } ?? true, "its time limit is cancelled")
    isFinished = true
    finishing?.waiters.forEachParked { $0.resume(.ended) }
    let told = woken.take()
    check(told == order.filter { callers[$0] == .parked }, "the parked are told, in their order")
    for caller in told { callers[caller] = .ended }
  }

  private mutating func perform(_ consequence: FlightStateMachine.Consequence) {
    switch consequence {
    case .none: break
    case .abandon(let job, _):
      check(wanting == 0 && !isOver, "a flight is given up once, when nobody wants it")
      check(rule != .finish, "a flight that shall finish is not given up")
      check((job != nil) == isInstalled, "its work is cancelled")
      isAbandoned = true
      if job != nil { cancels += 1 }
      check(cancels <= 1, "work is cancelled once")
    case .startTimer(_, let spell):
      check(wanting == 0 && !isOver, "a timer starts when nobody wants the result")
      spells.append(spell)
      timers.append(spell)
    }
  }
}
