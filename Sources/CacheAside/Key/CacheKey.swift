/// The identity of a cached value: a printable text inside a namespace.
///
/// A key is usually written as a string literal. What is interpolated is escaped, so that two
/// different values never give one text:
///
/// ```swift
/// let key: CacheKey = "user/\(id)"
/// ```
///
/// The text is in Unicode normalisation form C: canonically equal strings give equal keys with
/// equal bytes. Any text is a key, the empty one too. Keys of named functions print as
/// `%name(part,part)`; see ``init(name:arguments:)``.
@frozen
public struct CacheKey: Hashable, Sendable, CustomStringConvertible {
  /// The text of the key, without its namespace: the printable form that tools accept.
  public let text: String

  /// Where the key lives; `nil` until a feature puts it into its own namespace.
  public let namespace: Namespace?

  /// Makes a key of a text that is escaped and normalised already.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - namespace: where the key lives.
  @inlinable
  init(text: String, namespace: Namespace?) {
    self.text = text
    self.namespace = namespace
  }

  /// This key inside a namespace.
  ///
  /// - Parameter namespace: the feature's namespace; it replaces the one that the key has.
  /// - Returns: the key that stores see.
  @inlinable
  public func within(_ namespace: Namespace) -> CacheKey {
    CacheKey(text: text, namespace: namespace)
  }

  /// The one form that holds the namespace too: `namespace:text`, or `:text` without a namespace.
  ///
  /// Different keys have different forms, since a namespace prints without `:` and is never empty.
  public var qualified: String {
    guard let namespace else { return ":" + text }
    return namespace.description + ":" + text
  }

  /// The UTF-8 bytes of the qualified form: what stores write into records and compare.
  public var bytes: [UInt8] { Array(qualified.utf8) }

  /// The text, with its namespace before it when it has one.
  public var description: String {
    guard let namespace else { return text }
    return namespace.description + ":" + text
  }

  /// Whether two keys have the same text in the same namespace.
  ///
  /// - Parameters:
  ///   - lhs: one key.
  ///   - rhs: the other.
  /// - Returns: whether they are equal.
  @inlinable
  public static func == (lhs: CacheKey, rhs: CacheKey) -> Bool {
    lhs.text == rhs.text && lhs.namespace == rhs.namespace
  }

  /// Feeds the key into a hasher.
  ///
  /// - Parameter hasher: where to.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    // The text is in form C, so its bytes say what it is; `String` would normalise it once more.
    let isHashed: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
    hasher.combine(0xFF as UInt8)
    if let namespace { hasher.combine(namespace) }
  }

  /// The hash under a seed: that of the bytes, without what a hasher costs around it.
  ///
  /// - Parameter seed: the seed.
  /// - Returns: the hash.
  @inlinable
  public func _rawHashValue(seed: Int) -> Int {
    StringHash.hash(ofNormalized: text, seed: seed, and: namespace?.storage.hash ?? 0)
  }
}
