import Synchronization
import Testing

@testable import CacheAside

/// Who was woken since the last look.
final class FlightWoken: Sendable {
  private let names = Lock<[Int]>([])

  func add(_ name: Int) { names.withLock { $0.append(name) } }

  func take() -> [Int] {
    names.withLock { names in
      let taken = names
      names = []
      return taken
    }
  }
}

@Suite(.timeLimit(.minutes(60)))
struct FlightStateMachineTests {
  private let job = Task<Void, Never> {}
  private let deadline = Deadline()
  private let woken = FlightWoken()

  private func machine(_ rule: WhenUnobserved = .cancel) -> FlightStateMachine {
    FlightStateMachine(whenUnobserved: rule, priority: .medium)
  }

  private func slot(_ joining: FlightStateMachine.Joining) throws -> WaiterSlot {
    var reserved: WaiterSlot?
    if case .joined(let slot, _, _) = joining { reserved = slot }
    return try #require(reserved)
  }

  /// Explores every order of steps and returns how many there were, with the first broken promise.
  private func explore(
    _ model: FlightStateMachineModel,
    depth: Int,
    path: [FlightStateMachineModel.Step] = []
  ) -> (orders: Int, fault: String?) {
    if let fault = model.faults.first { return (1, "\(fault): \(path)") }
    let steps = model.enabled
    guard !steps.isEmpty, depth > 0 else {
      let isStuck = steps.isEmpty && model.callers.contains(.parked)
      return (1, isStuck ? "every caller ends: \(path)" : nil)
    }
    var orders = 0
    for step in steps {
      var next = model
      next.take(step)
      let (count, fault) = explore(next, depth: depth - 1, path: path + [step])
      orders += count
      if fault != nil { return (orders, fault) }
    }
    return (orders, nil)
  }

  @Test(arguments: [WhenUnobserved.cancel, .finish, .finish(within: .seconds(1))])
  func `keeps its promises in every order of steps of two callers`(rule: WhenUnobserved) {
    var model = FlightStateMachineModel(callers: 2, rule: rule, job: job, woken: woken)
    model.take(.escalate)
    let (orders, fault) = explore(model, depth: .max)
    #expect(fault == nil)
    #expect(orders > 500)
  }

  @Test(arguments: [WhenUnobserved.cancel, .finish, .finish(within: .seconds(1))])
  func `keeps its promises in every order of eight steps of three callers`(rule: WhenUnobserved) {
    var model = FlightStateMachineModel(callers: 3, rule: rule, job: job, woken: woken)
    model.take(.escalate)
    let (orders, fault) = explore(model, depth: 8)
    #expect(fault == nil)
    #expect(orders > 10_000)
  }

  @Test(arguments: [WhenUnobserved.cancel, .finish, .finish(within: .seconds(1))])
  func `F2 T4 callers who wait only so long and loads that are given up keep their promises`(
    rule: WhenUnobserved
  ) {
    let model = FlightStateMachineModel(
      callers: 2,
      rule: rule,
      job: job,
      woken: woken,
      hasPatience: true
    )
    let (orders, fault) = explore(model, depth: 7)
    #expect(fault == nil)
    #expect(orders > 10_000)
  }

  @Test
  func `a timer of an earlier spell has no effect`() throws {
    var machine = machine(.finish(within: .seconds(1)))
    let first = try slot(machine.join(priority: .medium))
    guard case .startTimer(.seconds(1), let spell) = machine.leave(first).consequence else {
      Issue.record("a timer starts")
      return
    }
    let isKept = machine.install(timer: deadline, spell: spell)
    #expect(isKept)
    guard case .joined(let second, _, let stopped) = machine.join(priority: .medium) else {
      Issue.record("it can be joined")
      return
    }
    #expect(stopped === deadline)
    _ = machine.leave(second)
    if case .abandon = machine.unobservedTimeElapsed(spell: spell) { Issue.record("too early") }
    let isKeptLater = machine.install(timer: deadline, spell: spell)
    #expect(!isKeptLater)
    if case .abandon = machine.unobservedTimeElapsed(spell: spell + 1) { return }
    Issue.record("the second spell has lasted its time")
  }

  @Test
  func `a higher joiner raises the work, also if it comes before the task`() {
    var machine = machine()
    _ = machine.join(priority: .medium)
    _ = machine.join(priority: .high)
    guard case .escalate(.high) = machine.install(job, priority: .medium) else {
      Issue.record("the task starts below its highest waiter")
      return
    }
    let lowered = machine.escalate(to: .low)
    #expect(lowered == nil)
    guard case .joined(_, let escalated, _) = machine.join(priority: TaskPriority(rawValue: 30))
    else {
      Issue.record("a running flight can be joined")
      return
    }
    #expect(escalated == job)
  }

  @Test
  func `leaving twice or after the end has no effect`() throws {
    var machine = machine()
    let first = try slot(machine.join(priority: .medium))
    let second = try slot(machine.join(priority: .medium))
    _ = machine.leave(first)
    _ = machine.leave(first)
    #expect(machine.waiterCount == 1)
    let (told, toldAgain) = (machine.finish(), machine.finish())
    #expect(told != nil && toldAgain == nil)
    if case .abandon = machine.leave(second).consequence { Issue.record("it has ended") }
  }

  @Test
  func `T4 between giving up and the result waiters come and go, and nobody joins`() throws {
    var machine = machine()
    let slots = try (0..<3).map { _ in try slot(machine.join(priority: .medium)) }
    let told = FlightWoken()
    func waiter(_ name: Int) -> Waiter { .callback { _ in told.add(name) } }
    if case .over = machine.park(waiter(0), in: slots[0]) { Issue.record("it runs") }
    let (closes, closesAgain) = (machine.close(), machine.close())
    #expect(closes && !closesAgain)
    if case .over = machine.park(waiter(1), in: slots[1]) { Issue.record("it has no result yet") }
    if case .joined = machine.join(priority: .medium) { Issue.record("it can be joined") }
    if case .cancel = machine.install(job, priority: .medium) {
    } else {
      Issue.record("it is wanted")
    }
    let leaving = machine.leave(slots[0])
    leaving.waiter?.resume(.left)
    let released = machine.release(slots[2], .timedOut)
    #expect(released.waited && machine.waiterCount == 1)
    if case .abandon = machine.leave(slots[2]).consequence {
      Issue.record("it is given up already")
    }
    let late = machine.finish()
    #expect(late == nil)
    let finishing = machine.finish(givingUp: true)
    finishing?.waiters.forEachParked { $0.resume(.ended) }
    #expect(told.take() == [0, 1])
  }

  @Test
  func `a flight that somebody waits for is not unobserved`() throws {
    var machine = machine(.finish)
    let first = try slot(machine.join(priority: .medium))
    let closesEarly = machine.close(ifUnobserved: true)
    _ = machine.leave(first)
    let closes = machine.close(ifUnobserved: true)
    #expect(!closesEarly && closes)
  }
}
