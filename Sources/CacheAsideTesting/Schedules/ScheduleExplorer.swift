// Depth-first search through the orders in which steps can happen: stateless, as in P. Godefroid,
// "Model checking for programming languages using VeriSoft", POPL 1997. Each schedule is run from
// its beginning on a fresh system, so that a system needs no copies of its state.
//
// Invariants: `path` holds, for every depth, the steps that were possible there and which of them is
// being followed; all schedules before it in the order of the choices are done. A schedule that
// breaks a promise bounds the length of those that follow, so that the last one found is the
// shortest. With `commute`, sleep sets leave out schedules that differ from one already followed
// only in the order of neighbours that commute.

/// Takes the steps of a system in every order and checks what must hold.
///
/// ```swift
/// let explorer = ScheduleExplorer(maximumLength: 12) { Account(withdrawals: 2) }
/// let report = explorer.explore()
/// #expect(report.violation == nil, "\(report)")
/// ```
///
/// A violation says its steps; ``replay(_:)`` repeats them, for a debugger or a test of their own.
/// The number of orders grows like a factorial: bound their length, or say which steps commute.
public struct ScheduleExplorer<System: ScheduledSystem> {
  private struct Choice {
    let steps: [System.Step]
    /// Steps that need no schedule of their own here.
    let asleep: [System.Step]
    var index = 0

    var step: System.Step { steps[index] }
  }

  private let maximumLength: Int
  private let maximumSchedules: Int
  private let commute: ((System.Step, System.Step) -> Bool)?
  private let makeSystem: () -> System

  /// Makes an explorer.
  ///
  /// - Parameters:
  ///   - maximumLength: how many steps of a schedule are taken.
  ///   - maximumSchedules: after how many interleavings it stops; the report then is not exhaustive.
  ///   - commute: says of two steps, possible at one moment, whether their order makes no difference
  ///     and neither makes the other possible or impossible; `nil` follows every order.
  ///   - makeSystem: makes a system at its beginning.
  public init(
    maximumLength: Int = .max,
    maximumSchedules: Int = .max,
    commute: ((System.Step, System.Step) -> Bool)? = nil,
    makeSystem: @escaping () -> System
  ) {
    self.maximumLength = maximumLength
    self.maximumSchedules = maximumSchedules
    self.commute = commute
    self.makeSystem = makeSystem
  }

  /// Follows every schedule within the bounds.
  ///
  /// O(n · length) steps for n schedules.
  ///
  /// - Returns: how many there were, and the shortest that breaks a promise.
  public func explore() -> Report {
    var report = Report()
    var bound = maximumLength
    var path: [Choice] = []
    repeat {
      if report.interleavings >= maximumSchedules {
        report.isExhaustive = false
        break
      }
      if let message = follow(&path, to: bound, &report) {
        report.violation = Violation(schedule: path.map(\.step), message: message)
        bound = path.count - 1
      }
      while path.count > max(0, bound) { path.removeLast() }
    } while bound >= 0 && advance(&path)
    return report
  }

  /// Takes the steps of one schedule on a fresh system.
  ///
  /// - Parameter schedule: the steps.
  /// - Returns: the first promise that they break; `nil` if they keep all.
  public func replay(_ schedule: [System.Step]) -> String? {
    let system = makeSystem()
    if let message = system.violation { return message }
    for step in schedule {
      guard system.nextSteps.contains(step) else { return "not possible: \(step)" }
      system.take(step)
      if let message = system.violation { return message }
    }
    return system.nextSteps.isEmpty ? system.finalViolation : nil
  }

  /// Runs a fresh system along the path, then on with the first step each time.
  private func follow(_ path: inout [Choice], to bound: Int, _ report: inout Report) -> String? {
    let system = makeSystem()
    for choice in path { system.take(choice.step) }
    if !path.isEmpty { report.steps += 1 }
    while true {
      if let message = system.violation { return message }
      let steps = system.nextSteps
      if steps.isEmpty {
        report.schedules += 1
        return system.finalViolation
      }
      if path.count >= bound {
        report.cut += 1
        return nil
      }
      let asleep = asleep(after: path.last)
      let awake = asleep.isEmpty ? steps : steps.filter { !asleep.contains($0) }
      guard let first = awake.first else {
        report.pruned += 1
        return nil
      }
      path.append(Choice(steps: awake, asleep: asleep))
      system.take(first)
      report.steps += 1
    }
  }

  /// What was followed before a step, or needed not to be, and commutes with it.
  private func asleep(after choice: Choice?) -> [System.Step] {
    guard let commute, let choice else { return [] }
    return (choice.asleep + choice.steps[..<choice.index]).filter { commute($0, choice.step) }
  }

  /// Moves to the next schedule; `false` after the last.
  private func advance(_ path: inout [Choice]) -> Bool {
    while var last = path.popLast() {
      last.index += 1
      if last.index < last.steps.count {
        path.append(last)
        return true
      }
    }
    return false
  }
}
