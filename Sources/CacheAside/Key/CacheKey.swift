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
  /// What a key has besides its words.
  @frozen @usableFromInline
  enum Extra: Sendable {
    case nothing
    /// The namespace of a short text.
    case namespace(Namespace.Storage)
    /// A long text.
    case text(LongText)
    /// A long text and its namespace.
    case both(LongText.InNamespace)
  }

  @usableFromInline let words: ShortText
  @usableFromInline let extra: Extra

  /// Makes a key of a short text.
  @inlinable @inline(__always)
  init(_ words: ShortText) {
    self.words = words
    extra = .nothing
  }

  private init(_ words: ShortText, _ extra: Extra) {
    self.words = words
    self.extra = extra
  }

  /// Makes a key of a text that is escaped and normalised already.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - namespace: where the key lives.
  init(text: String, namespace: Namespace?) {
    var text = text
    self = text.withUTF8 { unsafe CacheKey(UnsafeRawBufferPointer($0), namespace) }
  }

  /// Makes a key of the bytes of such a text.
  init(_ bytes: UnsafeRawBufferPointer, _ namespace: Namespace? = nil) {
    if bytes.count <= ShortText.capacity {
      self.init(
        unsafe ShortText(bytes),
        namespace.map { .namespace($0.storage) } ?? .nothing
      )
    } else {
      let text = unsafe LongText(bytes)
      self.init(text.words, namespace.map { .both(.init(text, $0)) } ?? .text(text))
    }
  }

  func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard let longText else { return unsafe words.withBytes(body) }
    return unsafe longText.withBytes(body)
  }

  private var longText: LongText? {
    switch extra {
    case .nothing, .namespace: nil
    case .text(let text): text
    case .both(let both): both.text
    }
  }

  /// The text of the key, without its namespace: the printable form that tools accept.
  ///
  /// - Complexity: O(n), it is made of the key's bytes.
  public var text: String { unsafe withText { unsafe String(decoding: $0, as: UTF8.self) } }

  /// Where the key lives; `nil` until a feature puts it into its own namespace.
  public var namespace: Namespace? {
    switch extra {
    case .nothing, .text: nil
    case .namespace(let storage): Namespace(storage)
    case .both(let both): both.namespace
    }
  }

  /// This key inside a namespace.
  ///
  /// - Parameter namespace: the feature's namespace; it replaces the one that the key has.
  /// - Returns: the key that stores see.
  public func within(_ namespace: Namespace) -> CacheKey { moved(to: namespace) }

  /// This key in a namespace or in none.
  func moved(to namespace: Namespace?) -> CacheKey {
    guard let longText else {
      return CacheKey(words, namespace.map { .namespace($0.storage) } ?? .nothing)
    }
    return CacheKey(words, namespace.map { .both(.init(longText, $0)) } ?? .text(longText))
  }

  /// The one form that holds the namespace too: `namespace:text`, or `:text` without a namespace.
  ///
  /// Different keys have different forms, since a namespace prints without `:` and is never empty.
  public var qualified: String {
    guard let namespace else { return ":" + text }
    return namespace.description + ":" + text
  }

  /// The UTF-8 bytes of the qualified form: what stores write into records and compare.
  public var bytes: [UInt8] {
    let namespace = namespace.map { $0.description.utf8 }
    return unsafe withText { text in
      var bytes: [UInt8] = []
      bytes.reserveCapacity((namespace?.count ?? 0) + 1 + text.count)
      if let namespace { bytes += namespace }
      bytes.append(UInt8(ascii: ":"))
      unsafe bytes.append(contentsOf: text)
      return bytes
    }
  }

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
  @inlinable @inline(__always)
  public static func == (lhs: CacheKey, rhs: CacheKey) -> Bool {
    guard lhs.words == rhs.words else { return false }
    // One reference, or none; the sizes are equal where a reference has bits to spare.
    if MemoryLayout<Extra>.size == MemoryLayout<UInt>.size,
      unsafe unsafeBitCast(lhs.extra, to: UInt.self) == unsafeBitCast(rhs.extra, to: UInt.self)
    {
      return true
    }
    return hasSameExtra(lhs, rhs)
  }

  /// Whether keys of equal words are equal.
  @usableFromInline
  static func hasSameExtra(_ lhs: CacheKey, _ rhs: CacheKey) -> Bool {
    guard lhs.namespace == rhs.namespace else { return false }
    // The words of a short text are all of it.
    guard let left = lhs.longText, let right = rhs.longText else { return true }
    return left == right
  }

  /// Feeds the key into a hasher.
  ///
  /// - Parameter hasher: where to.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.first)
    hasher.combine(words.second)
    hasher.combine(words.third)
    hasher.combine(words.fourth)
    hasher.combine(namespaceHash)
  }

  /// The hash under a seed, without what a hasher costs around it.
  ///
  /// - Parameter seed: the seed.
  /// - Returns: the hash.
  @inlinable @inline(__always)
  public func _rawHashValue(seed: Int) -> Int {
    let key = SipHash.Key(seed: UInt64(truncatingIfNeeded: seed))
    return Int(truncatingIfNeeded: hash(key))
  }

  @inlinable @inline(__always)
  func hash(_ key: SipHash.Key) -> UInt64 { Self.hash(words, namespaceHash, key) }

  /// A hash of the namespace, of this process only; zero for none.
  @inlinable
  var namespaceHash: Int {
    @inline(__always) get {
      if case .nothing = extra { return 0 }
      if case .text = extra { return 0 }
      return hashOfNamespace
    }
  }

  @usableFromInline var hashOfNamespace: Int { namespace?.storage.hash ?? 0 }

  @usableFromInline
  static func hash(_ words: ShortText, _ namespace: Int, _ key: SipHash.Key) -> UInt64 {
    var state = SipHash(key)
    state.absorb(words.first)
    state.absorb(words.second)
    state.absorb(words.third)
    if namespace != 0 { state.absorb(UInt64(truncatingIfNeeded: namespace)) }
    return state.finish(words.fourth)
  }
}
