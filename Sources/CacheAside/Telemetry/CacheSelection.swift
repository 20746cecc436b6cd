/// What a selector named, as traces and explanations show it.
public struct CacheSelection: Hashable, Sendable, CustomStringConvertible {
  /// How it selects: `key`, `keys`, `tag`, `tags(anyOf:)`, `tags(allOf:)`, `namespace`, `where` or
  /// `all`.
  public let kind: String

  /// The keys, tags or the namespace that it named; empty for a condition and for everything.
  public let subjects: [String]

  init(_ kind: String, _ subjects: [String] = []) {
    self.kind = kind
    self.subjects = subjects
  }

  /// How it selects, without what it named, which may hold what must not be in a log.
  public var description: String { text(showsSubjects: false) }

  func text(showsSubjects: Bool) -> String {
    if subjects.isEmpty { return kind }
    if showsSubjects { return "\(kind) \(subjects.joined(separator: ", "))" }
    return subjects.count == 1 ? kind : "\(kind) of \(subjects.count)"
  }
}
