extension ScheduleExplorer {
  /// What an exploration has seen.
  public struct Report: Sendable, CustomStringConvertible {
    /// Schedules that were followed to their end.
    public internal(set) var schedules = 0

    /// Schedules that were cut at the bound of their length; their steps were checked all the same.
    public internal(set) var cut = 0

    /// Schedules that were given up because another one comes to the same.
    public internal(set) var pruned = 0

    /// Steps that were taken and checked, repetitions of a common beginning aside.
    public internal(set) var steps = 0

    /// Whether nothing is left to explore within the bounds.
    public internal(set) var isExhaustive = true

    /// The shortest schedule found that breaks a promise; `nil` if none does.
    public internal(set) var violation: Violation?

    /// How many interleavings were checked, those that were cut included.
    public var interleavings: Int { schedules + cut }

    /// The counts and the violation, in a few lines.
    public var description: String {
      let counts =
        "\(interleavings) interleavings (\(cut) cut, \(pruned) pruned), \(steps) steps"
        + (isExhaustive ? "" : ", not all")
      return violation.map { "\(counts)\n\($0)" } ?? counts
    }
  }
}
