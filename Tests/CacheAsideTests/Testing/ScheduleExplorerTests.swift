import CacheAsideTesting
import Testing

/// Threads that each do their own steps in order, and what comes of them.
private final class Counting: ScheduledSystem {
  /// A thread adds one to a number: at once, or by a look and a write.
  struct Step: Equatable, Sendable, CustomStringConvertible {
    let thread: Int
    let place: Int
    var description: String { "\(thread).\(place)" }
  }

  private let lengths: [Int]
  private let isAtomic: Bool
  private var places: [Int]
  private var seen: [Int]
  private(set) var number = 0
  /// Hears the state at the end of each schedule, instead of the check.
  private let onEnd: (([Int]) -> Void)?

  init(_ lengths: [Int], isAtomic: Bool = true, onEnd: (([Int]) -> Void)? = nil) {
    self.lengths = lengths
    self.isAtomic = isAtomic
    self.onEnd = onEnd
    places = lengths.map { _ in 0 }
    seen = places
  }

  var nextSteps: [Step] {
    let steps = lengths.indices.filter { places[$0] < lengths[$0] }
      .map { Step(thread: $0, place: places[$0]) }
    if steps.isEmpty { onEnd?(seen + [number]) }
    return steps
  }

  func take(_ step: Step) {
    if isAtomic || step.place % 2 == 0 { seen[step.thread] = number }
    if isAtomic || step.place % 2 == 1 { number = seen[step.thread] + 1 }
    places[step.thread] += 1
  }

  var violation: String? { nil }

  var finalViolation: String? {
    if onEnd != nil { return nil }
    let expected = lengths.reduce(0, +) / (isAtomic ? 1 : 2)
    return number == expected ? nil : "\(number) instead of \(expected)"
  }
}

/// A walk that falls over an edge.
private final class Walk: ScheduledSystem {
  private(set) var place = 0
  private var steps = 0
  private let edge: Int

  init(edge: Int) { self.edge = edge }

  var nextSteps: [Int] { steps == 8 ? [] : [-1, 1, 2] }

  func take(_ step: Int) {
    place += step
    steps += 1
  }

  var violation: String? { place >= edge ? "over the edge" : nil }
  var finalViolation: String? { nil }
}

@Suite(.timeLimit(.minutes(60)))
struct ScheduleExplorerTests {
  @Test(arguments: [
    ([], 1), ([3], 1), ([1, 1], 2), ([4, 4], 70), ([2, 2, 2], 90), ([5, 3, 2], 2520),
  ])
  func `follows every order of the steps of threads once`(lengths: [Int], orders: Int) {
    let report = ScheduleExplorer { Counting(lengths) }.explore()
    #expect(report.schedules == orders)
    #expect(report.cut == 0 && report.pruned == 0)
    #expect(report.isExhaustive)
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `finds a lost update, names its steps and repeats it`() throws {
    let explorer = ScheduleExplorer { Counting([2, 2], isAtomic: false) }
    let report = explorer.explore()
    let violation = try #require(report.violation)
    #expect(violation.message == "1 instead of 2")
    #expect(explorer.replay(violation.schedule) == violation.message)
    #expect(violation.description == "1 instead of 2\n  1. 0.0\n  2. 1.0\n  3. 0.1\n  4. 1.1")
    let sound = [0, 0, 1, 1].enumerated().map { Counting.Step(thread: $1, place: $0 % 2) }
    #expect(explorer.replay(sound) == nil)
    #expect(explorer.replay([sound[1]]) == "not possible: 0.1")
    #expect(explorer.replay([sound[0]]) == nil)
  }

  @Test func `of several violations the shortest is reported`() throws {
    let report = ScheduleExplorer { Walk(edge: 6) }.explore()
    #expect(report.violation?.schedule == [2, 2, 2])
    #expect(report.isExhaustive)
    let atOnce = ScheduleExplorer { Walk(edge: 0) }.explore()
    #expect(atOnce.violation?.schedule == [])
    #expect(atOnce.steps == 0)
  }

  @Test func `a bound on the length cuts, one on the number stops`() {
    let cut = ScheduleExplorer(maximumLength: 4) { Walk(edge: 9) }.explore()
    #expect(cut.schedules == 0 && cut.cut == 81)
    #expect(cut.interleavings == 81)
    // Every node of the tree but its root is one step.
    #expect(cut.steps == 3 + 9 + 27 + 81)
    #expect(cut.isExhaustive)
    #expect(cut.description == "81 interleavings (81 cut, 0 pruned), 120 steps")
    let stopped = ScheduleExplorer(maximumSchedules: 10) { Walk(edge: 99) }.explore()
    #expect(stopped.schedules == 10)
    #expect(!stopped.isExhaustive)
  }

  @Test func `steps that commute are followed in one order, and nothing is missed`() {
    let all = ScheduleExplorer(commute: { $0.thread != $1.thread }) { Counting([4, 4]) }.explore()
    #expect(all.schedules == 1)
    #expect(all.violation == nil)
    // Looks commute with each other, writes with nothing.
    let commute: (Counting.Step, Counting.Step) -> Bool = {
      $0.thread != $1.thread && $0.place % 2 == 0 && $1.place % 2 == 0
    }
    var ends: [Set<[Int]>] = []
    var counts: [Int] = []
    for rule in [nil, commute] {
      var seen: Set<[Int]> = []
      let explorer = ScheduleExplorer(commute: rule) {
        Counting([4, 4, 2], isAtomic: false) { seen.insert($0) }
      }
      let report = explorer.explore()
      ends.append(seen)
      counts.append(report.schedules)
      #expect(report.violation == nil)
    }
    #expect(ends[0] == ends[1])
    #expect(ends[0].count > 1)
    #expect(counts[0] == 3150 && counts[1] < counts[0])
  }
}
