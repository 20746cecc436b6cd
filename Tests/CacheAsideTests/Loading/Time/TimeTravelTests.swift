import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.serialized, .timeLimit(.minutes(60)))
struct TimeTravelTests {
  private func log(seed: UInt64 = 7, inStepsOf step: Duration) async throws -> [String] {
    try await LongScenario(seed: seed).run(inStepsOf: step)
  }

  /// The first line in which two logs differ.
  private func difference(_ one: [String], _ other: [String]) -> String? {
    if one == other { return nil }
    let index = zip(one, other).enumerated().first { $1.0 != $1.1 }?.offset
    guard let index else { return "\(one.count) lines against \(other.count)" }
    return "line \(index): \(one[index]) against \(other[index])"
  }

  @Test func `T3 an hour in one step is the same in every run of a seed`() async throws {
    let first = try await log(inStepsOf: LongScenario.duration)
    #expect(first.count > 500)
    for run in 2...20 {
      let again = try await log(inStepsOf: LongScenario.duration)
      #expect(difference(first, again) == nil, "run \(run)")
    }
    #expect(try await log(seed: 8, inStepsOf: LongScenario.duration) != first)
  }

  @Test(arguments: [Duration.seconds(1), .milliseconds(33_333)])
  func `T3 an hour in many steps is the same as in one`(step: Duration) async throws {
    let whole = try await log(inStepsOf: LongScenario.duration)
    #expect(difference(whole, try await log(inStepsOf: step)) == nil)
  }

  @Test func `T2 T4 in an hour everything happens, and at its end nothing is left`() async throws {
    let scenario = try LongScenario(seed: 7)
    let lines = try await scenario.run(inStepsOf: LongScenario.duration)
    for word in [
      "memory", "store", "produced", "coalesced", "stale(revalidating)", "stale(softTimeout)",
      "stale(loadFailed)", "stale(resting)", "timedOut", "CancellationError", "loadFailed",
    ] {
      #expect(lines.contains { $0.contains(word) }, "\(word)")
    }
    let rest = try await scenario.rest()
    #expect(rest.memory == 0)
    #expect(rest.disk == 0)
    #expect(rest.isQuiet)
    // The disk's sweep alone.
    #expect(rest.sleeps == 1)
  }
}
