extension CacheTrace {
  /// What one tier answered.
  public struct TierAnswer: Hashable, Sendable, CustomStringConvertible {
    /// The tier: `memory`, or the name of its store.
    public var tier: String

    /// What it had.
    public var finding: CacheFinding

    /// How long ago the value was stored; `nil` when there was none.
    public var age: Duration?

    /// How long it took to ask.
    public var took: Duration

    /// What went wrong, for a tier that could not be read.
    public var error: String?

    /// The answer in a few words.
    public var description: String {
      var text = "\(tier) \(finding)"
      if let age { text += ", \(age.brief) old" }
      if took > .zero { text += " (\(took.brief))" }
      if let error { text += ": \(error)" }
      return text
    }
  }
}
