import CacheAsideTesting

@testable import CacheAside

// A real flight table for one key, with a variable for memory and everybody who may touch it. Every
// step calls the table's or a flight's own functions, between two of their locks where that makes a
// difference; beside them the system keeps what has to be true by the rules, and compares.

/// Callers, work, changes and time limits of one key, step by step.
final class FlightSystem: ScheduledSystem {
  typealias Key = HashedKey<Int>

  /// Where a caller stands.
  enum Place: Equatable {
    case outside, found, leading, probed, started, seated, parked, over
  }

  struct Caller {
    let plan: FlightScenario.Caller
    var place = Place.outside
    /// The number of its flight.
    var flight = -1
    var slot: WaiterSlot?
    var ends: [Waiter.End] = []
    /// Whether its wait goes on, parked or not.
    var isWaiting = false
    var isCancelled = false
    var isImpatient = false
    var isTimedOut = false
    /// Whether there was something older when its time was up.
    var hadFallback = false
  }

  /// A flight as the rules see it.
  struct Run {
    let flight: Flight<Int>
    let begun: Int
    var job: Task<Void, Never>?
    var isInstalled = false
    var hasStored = false
    var isDone = false
    var hasFallback = false
    /// Closed by a change of its key, or by the flight that took its place.
    var isClosed = false
    /// What its waiters get, once it has ended.
    var result: Result<Int, FlightFailure>?
    var isAbandoned = false
    var isGivenUp = false
    /// Callers who want its result, those who waited too long included.
    var wanting: Set<Int> = []

    var isRunning: Bool { result == nil && !isAbandoned }
    var isOpen: Bool { isRunning && !isClosed }
    var isCancelled: Bool { isAbandoned || isGivenUp }
  }

  /// What a flight may end with beside a value.
  enum FlightFailure: Error { case failed, givenUp }

  /// How far the write or the removal is.
  enum Change { case none, before, registered, stored, over }

  static let key = Key(key: 0, hash: 0)
  static let writtenValue = 1
  static let oldValue = 0
  static let fallbackValue = -1

  let scenario: FlightScenario
  let table: FlightTable<Int, Int>
  let idle: IdleExecutor
  let told = FlightTold()
  var callers: [Caller]
  var runs: [Run] = []
  var write: (stage: Change, begun: Int, registration: Registration?)
  var removal: Change
  /// What memory holds, and when the load or the write began that put it there.
  ///
  /// The old value has expired: it is there, and nobody is answered with it.
  var memory: (value: Int, begun: Int)? = (FlightSystem.oldValue, -1)
  /// How many steps were taken.
  var now = 0
  var violation: String?

  /// Makes a system at its beginning.
  ///
  /// - Parameters:
  ///   - scenario: who takes part.
  ///   - idle: where the tasks of the work are kept.
  init(_ scenario: FlightScenario, idle: IdleExecutor) {
    self.scenario = scenario
    self.idle = idle
    table = FlightTable(time: .system)
    callers = scenario.callers.map { Caller(plan: $0) }
    write = (scenario.sets ? .before : .none, 0, nil)
    removal = scenario.removes ? .before : .none
  }

  deinit { idle.drain() }

  var nextSteps: [Step] {
    var steps: [Step] = []
    for index in callers.indices { addSteps(ofCaller: index, to: &steps) }
    for index in runs.indices where runs[index].job != nil && !runs[index].isDone {
      addSteps(ofFlight: index, to: &steps)
    }
    switch write.stage {
    case .before: steps.append(.registerWrite)
    case .registered: steps.append(.commitWrite)
    case .stored: steps.append(.endWrite)
    case .none, .over: break
    }
    switch removal {
    case .before: steps.append(.closeForRemoval)
    case .registered: steps.append(.removeFromMemory)
    case .none, .stored, .over: break
    }
    return steps
  }

  private func addSteps(ofCaller index: Int, to steps: inout [Step]) {
    let caller = callers[index]
    switch caller.place {
    case .outside: steps.append(.look(index))
    case .found: steps.append(.join(index))
    case .leading: steps.append(.probe(index))
    case .probed: steps.append(.start(index))
    case .started: steps.append(.install(index))
    case .seated: steps.append(.park(index))
    case .parked, .over: break
    }
    guard caller.place == .seated || caller.place == .parked, caller.isWaiting else { return }
    if caller.plan.cancels { steps.append(.cancel(index)) }
    if caller.plan.settles, !caller.isImpatient { steps.append(.settle(index)) }
    if caller.plan.timesOut, caller.isImpatient || !caller.plan.settles {
      steps.append(.timeOut(index))
    }
  }

  private func addSteps(ofFlight index: Int, to steps: inout [Step]) {
    let run = runs[index]
    if !run.hasStored {
      if scenario.work.contains(.offers), !run.hasFallback { steps.append(.offer(index)) }
      if scenario.work.contains(.isReplaced), !callers.contains(where: \.plan.isBackground) {
        steps.append(.replace(index))
      }
      steps.append(.store(index))
      if scenario.work.contains(.fails) { steps.append(.fail(index)) }
    } else {
      steps.append(.end(index))
    }
    if scenario.work.contains(.isGivenUp), run.isInstalled, run.isRunning {
      steps.append(.giveUp(index))
    }
  }
}
