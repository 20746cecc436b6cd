extension ScheduleExplorer {
  /// A schedule that breaks a promise.
  public struct Violation: Sendable, CustomStringConvertible {
    /// The steps, first to last; ``ScheduleExplorer/replay(_:)`` repeats them.
    public let schedule: [System.Step]

    /// The promise that is broken after the last of them.
    public let message: String

    /// The promise and the steps, one a line.
    public var description: String {
      let lines = schedule.enumerated().map { "  \($0.offset + 1). \($0.element)" }
      return ([message] + lines).joined(separator: "\n")
    }
  }
}
