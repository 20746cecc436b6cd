/// Which errors are remembered, and for how long: by type, set by `CachePolicy.cachingErrors`.
public struct CachedErrors: Hashable, Sendable {
  private struct Rule: Hashable, Sendable {
    let type: ObjectIdentifier
    let name: String
    let expiry: Expiry
    let matches: @Sendable (any Error) -> Bool

    static func == (lhs: Rule, rhs: Rule) -> Bool {
      lhs.type == rhs.type && lhs.expiry == rhs.expiry
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(type)
      hasher.combine(expiry)
    }
  }

  private var rules: [Rule] = []

  init() {}

  /// The same with one more type; the first that matches an error counts.
  func adding<Failure: Error>(_ type: Failure.Type, for expiry: Expiry) -> CachedErrors {
    var copy = self
    copy.rules.removeAll { $0.type == ObjectIdentifier(type) }
    copy.rules.append(
      Rule(type: ObjectIdentifier(type), name: "\(type)", expiry: expiry) { $0 is Failure }
    )
    return copy
  }

  /// Refuses lifetimes that say nothing.
  ///
  /// - Throws: `CacheError` with the code `invalidExpiry`.
  func check() throws {
    for rule in rules {
      let setting = "cachingErrors(of: \(rule.name).self, for:)"
      try Lifetime.check(rule.expiry, of: setting)
      guard rule.expiry.isNegative else { continue }
      throw CacheError(
        .invalidExpiry,
        "\(setting) is negative; allowed are zero, which remembers nothing, positive lifetimes, and "
          + ".never"
      )
    }
  }

  /// How long an error is remembered; `nil` if it is not.
  func expiry(of error: any Error) -> Expiry? {
    if error is CancellationError { return nil }
    return rules.first { $0.matches(error) }?.expiry
  }
}
