import CacheAsideTesting
import Testing

@testable import CacheAside

/// Every order of the steps of a few callers of one key, over the real table.
@Suite(.timeLimit(.minutes(60)))
struct FlightScheduleTests {
  typealias Explorer = ScheduleExplorer<FlightSystem>

  static let scenarios = [
    FlightScenario(
      testDescription: "two callers are cancelled",
      callers: [.cancelling, .cancelling],
      maximumLength: 10
    ),
    FlightScenario(
      testDescription: "a write and a caller who is cancelled, to the end",
      callers: [.cancelling],
      work: .fails,
      sets: true
    ),
    FlightScenario(
      testDescription: "a caller who waits only so long, to the end",
      callers: [.limited],
      work: [.offers, .isGivenUp],
      removes: true
    ),
    FlightScenario(
      testDescription: "a caller is cancelled, work fails, the key is written",
      callers: [.cancelling, .plain],
      work: .fails,
      sets: true,
      maximumLength: 8
    ),
    FlightScenario(
      testDescription: "the key is removed and written",
      callers: [.plain, .plain],
      sets: true,
      removes: true,
      maximumLength: 7
    ),
    FlightScenario(
      testDescription: "a caller reloads while the key is written",
      callers: [.reloading, .plain],
      work: .fails,
      sets: true,
      maximumLength: 8
    ),
    FlightScenario(
      testDescription: "impatient callers and a load that takes too long",
      callers: [.impatient, .limited],
      work: [.offers, .isGivenUp],
      maximumLength: 9
    ),
    FlightScenario(
      testDescription: "a background load is joined and left",
      callers: [.background, .cancelling, .limited],
      work: .isGivenUp,
      maximumLength: 8
    ),
    FlightScenario(
      testDescription: "a load gives its key to one in the background",
      callers: [.plain, .cancelling],
      work: .isReplaced,
      removes: true,
      maximumLength: 8
    ),
    FlightScenario(
      testDescription: "three callers, two of them cancelled",
      callers: [.cancelling, .cancelling, .plain],
      maximumLength: 8
    ),
    FlightScenario(
      testDescription: "work that finishes unobserved",
      callers: [.cancelling, .cancelling],
      removes: true,
      whenUnobserved: .finish,
      maximumLength: 8
    ),
  ]

  private func explorer(_ scenario: FlightScenario) -> Explorer {
    let idle = IdleExecutor()
    return Explorer(maximumLength: scenario.maximumLength) {
      FlightSystem(scenario, idle: idle)
    }
  }

  @Test(arguments: scenarios)
  func `F1 F2 F3 F4 F5 T4 hold in every order of steps`(scenario: FlightScenario) {
    let start = ContinuousClock.now
    let report = explorer(scenario).explore()
    print("\(scenario.testDescription): \(report), \(ContinuousClock.now - start)")
    #expect(report.violation == nil, "\(report)")
    #expect(report.isExhaustive)
    #expect(report.interleavings > 500)
  }

  /// Where each planted fault shows, and by which promise.
  static let planted: [(FlightScenario.Fault, FlightScenario, String)] = [
    (
      .joinAtZero,
      FlightScenario(testDescription: "", callers: [.cancelling, .plain]),
      "F2 a flight whose work was cancelled is never joined"
    ),
    (
      .unregisterByKey,
      FlightScenario(testDescription: "", callers: [.plain, .plain], removes: true),
      "F5 only its own end or a change takes a flight out"
    ),
    (
      .storeAfterInvalidation,
      FlightScenario(testDescription: "", callers: [.plain, .plain], removes: true),
      "F4 nothing of a closed flight is stored"
    ),
  ]

  @Test(arguments: planted)
  func `a planted fault is found, by the shortest of its schedules`(
    fault: FlightScenario.Fault,
    scenario: FlightScenario,
    promise: String
  ) throws {
    var scenario = scenario
    scenario.maximumLength = 9
    #expect(explorer(scenario).explore().violation == nil)
    scenario.fault = fault
    let report = explorer(scenario).explore()
    print("\(fault): \(report)")
    let violation = try #require(report.violation)
    #expect(violation.message == promise)
    #expect(explorer(scenario).replay(violation.schedule) == promise)
    scenario.fault = nil
    #expect(explorer(scenario).replay(violation.schedule) == nil)
    scenario.fault = fault
    scenario.maximumLength = violation.schedule.count - 1
    #expect(explorer(scenario).explore().violation == nil)
  }
}
