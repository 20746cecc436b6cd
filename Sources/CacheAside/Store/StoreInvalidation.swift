/// What a store has to make absent or expired at once: a selection of a namespace's records.
///
/// Tags belong to a feature, so its namespace comes with them and covers all its scopes. An empty
/// list of tags selects nothing.
public struct StoreInvalidation: Hashable, Sendable {
  /// Which records of the namespace.
  public enum Selection: Hashable, Sendable {
    /// All of them.
    case everything
    /// Those that carry at least one of these tags.
    case anyOf([Tag])
    /// Those that carry every one of these tags.
    case allOf([Tag])
  }

  /// What becomes of them.
  public enum Verb: Hashable, Sendable {
    /// They leave.
    case remove
    /// They are not fresh from a moment on, in microseconds since 1970, UTC, and are kept from then
    /// on only so many nanoseconds for a load that fails, and so many besides; never longer than
    /// they were kept before.
    case expire(at: Int64, staleIfError: Int64, keepExpired: Int64)
  }

  /// What becomes of the records.
  public var verb: Verb

  /// Which records of the namespace.
  public var selection: Selection

  /// Where they are; it covers every scope that contains all parts of its own.
  public var namespace: Namespace

  /// Makes an invalidation.
  ///
  /// - Parameters:
  ///   - verb: what becomes of the records.
  ///   - selection: which records.
  ///   - namespace: where they are; it covers every scope that contains all parts of its own.
  public init(_ verb: Verb, _ selection: Selection, in namespace: Namespace) {
    self.verb = verb
    self.selection = selection
    self.namespace = namespace
  }

  /// Whether a record is among those that are meant.
  ///
  /// - Parameters:
  ///   - key: its key, in its namespace.
  ///   - entry: the record.
  /// - Returns: whether it is.
  public func selects(_ key: CacheKey, _ entry: CacheEntry) -> Bool {
    guard namespace.covers(key.namespace) else { return false }
    return selection.selects { entry.metadata.tags }
  }

  /// A selected record after the invalidation.
  ///
  /// - Parameter entry: the record.
  /// - Returns: what to keep; `nil` when it must leave.
  public func applied(to entry: CacheEntry) -> CacheEntry? {
    switch verb {
    case .remove: nil
    case .expire(let wall, let staleIfError, let keepExpired):
      HandExpiry(
        now: Moment(monotonic: 0, wall: wall),
        staleIfError: staleIfError,
        keepExpired: keepExpired
      ).applied(to: entry)
    }
  }
}

extension StoreInvalidation {
  /// Whether it does what `removeAll(in:)` does.
  var isRemovalOfAll: Bool { verb == .remove && selection == .everything }
}

extension StoreInvalidation.Selection {
  /// Whether something that carries these tags is meant.
  func selects(_ tags: () -> [Tag]) -> Bool {
    switch self {
    case .everything: return true
    case .anyOf(let wanted):
      if wanted.isEmpty { return false }
      let tags = tags()
      return wanted.contains { tags.contains($0) }
    case .allOf(let wanted):
      if wanted.isEmpty { return false }
      let tags = tags()
      return wanted.allSatisfy { tags.contains($0) }
    }
  }
}
