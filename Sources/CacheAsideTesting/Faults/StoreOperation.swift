public import CacheAside

/// One call of a store, as ``RecordingStore`` notes it.
public struct StoreOperation: Hashable, Sendable, CustomStringConvertible {
  /// What was called; the synchronous requirements count as their asynchronous twins.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// `entry(for:)`.
    case read
    /// `set(_:for:)`.
    case write
    /// `entries(for:)`, whatever the number of keys.
    case bulkRead
    /// `set(_:)` of several entries.
    case bulkWrite
    /// `remove(_:)`.
    case remove
    /// `remove(_:ifUnchanged:)`.
    case removeIfUnchanged
    /// `removeAll(in:)`.
    case removeAll
    /// `removeExpired()`.
    case removeExpired
    /// `scan(_:_:)`.
    case scan
    /// `invalidate(_:)`.
    case invalidate
    /// `usage()`.
    case usage
    /// `flush()`.
    case flush
    /// `close()`.
    case close
  }

  /// What was called.
  public let kind: Kind

  /// The key of a call that has one.
  public let key: CacheKey?

  /// The namespace of a call that has one, the key's included.
  public let namespace: Namespace?

  /// Makes a note of a call.
  ///
  /// - Parameters:
  ///   - kind: what was called.
  ///   - key: the key of a call that has one.
  ///   - namespace: the namespace of a call without a key.
  public init(_ kind: Kind, key: CacheKey? = nil, namespace: Namespace? = nil) {
    self.kind = kind
    self.key = key
    self.namespace = namespace ?? key?.namespace
  }

  /// The kind and what it was about, such as `write users:42`.
  public var description: String {
    guard let place = key?.qualified ?? namespace?.description else { return kind.rawValue }
    return "\(kind.rawValue) \(place)"
  }
}
