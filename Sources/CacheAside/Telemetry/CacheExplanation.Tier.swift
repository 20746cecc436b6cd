extension CacheExplanation {
  /// What one tier has under the key.
  public struct Tier: Hashable, Sendable, CustomStringConvertible {
    /// The tier: `memory`, or the name of its store.
    public let name: String
    /// What it has.
    public internal(set) var finding: CacheFinding
    /// How long ago it was stored; `nil` when there is nothing.
    public internal(set) var age: Duration?
    /// How long it stays fresh; zero when it has expired, `nil` for ever and when there is nothing.
    public internal(set) var remainingLife: Duration?
    /// How much is left of the window in which it is returned while it is loaded again.
    public internal(set) var staleWhileRevalidate: Duration?
    /// How much is left of the window in which it is returned when a load fails.
    public internal(set) var staleIfError: Duration?
    /// How long it is kept; `nil` for ever and when there is nothing.
    public internal(set) var kept: Duration?
    /// Whether it was expired by hand.
    public internal(set) var isExpiredByHand = false
    /// The invalidation by tag or namespace that the store keeps and that made the record invalidated,
    /// or expired; `nil` when there is none.
    public internal(set) var invalidatedBy: CacheSelection?
    /// Its tags.
    public internal(set) var tags: [Tag] = []
    /// What the producer gave to ask the source whether it has changed.
    public internal(set) var validator: String?
    /// What it costs, in memory.
    public internal(set) var cost: Int?
    /// How many bytes its encoded value has, in a store.
    public internal(set) var bytes: Int?
    /// What went wrong, for a tier that could not be read.
    public internal(set) var error: String?

    init(_ name: String, _ finding: CacheFinding = .absent) {
      self.name = name
      self.finding = finding
    }

    /// One line; without tags and validator, which may hold what must not be in a log.
    public var description: String { text(showsTags: false) }

    func text(showsTags: Bool) -> String {
      var parts = ["\(name): \(finding)" + (isExpiredByHand ? " by hand" : "")]
      if let invalidatedBy {
        parts[0] +=
          (isExpiredByHand ? "," : "") + " by \(invalidatedBy.text(showsSubjects: showsTags))"
      }
      if let age { parts.append("\(age.brief) old") }
      if finding == .fresh { parts.append(remainingLife.map { "\($0.brief) left" } ?? "for ever") }
      if let staleWhileRevalidate {
        parts.append("staleWhileRevalidate \(staleWhileRevalidate.brief)")
      }
      if let staleIfError { parts.append("staleIfError \(staleIfError.brief)") }
      if finding == .expired, let kept { parts.append("kept \(kept.brief)") }
      if showsTags {
        if !tags.isEmpty { parts.append("tags " + tags.map(\.description).joined(separator: " ")) }
        if let validator { parts.append("validator \(validator)") }
      } else {
        if !tags.isEmpty { parts.append("\(tags.count) tags") }
        if validator != nil { parts.append("validator") }
      }
      if let cost { parts.append("cost \(cost)") }
      if let bytes { parts.append("\(bytes) bytes") }
      if let error { parts.append(error) }
      return parts.joined(separator: ", ")
    }
  }
}
