/// How a call becomes a key.
public struct KeyStrategy<Key: Sendable>: Sendable {
  /// Derives the key, still without a namespace.
  ///
  /// It is synchronous, has no side effects and is never called under a lock.
  public let derive: @Sendable (Key) -> CacheKey

  /// With what the text of every derived key begins; empty when that is not known.
  let prefix: String

  /// Whether the argument is the key itself.
  let isIdentity: Bool

  /// The argument that a key without a namespace was derived from, if that can be read back; the key
  /// is derived again and compared.
  let argument: (@Sendable (CacheKey) -> Key?)?

  private init(
    prefix: String = "",
    isIdentity: Bool = false,
    argument: (@Sendable (CacheKey) -> Key?)? = nil,
    derive: @escaping @Sendable (Key) -> CacheKey
  ) {
    self.derive = derive
    self.prefix = prefix
    self.isIdentity = isIdentity
    self.argument = argument
  }

  /// Whether some argument may give this key.
  func mayDerive(_ key: CacheKey) -> Bool { prefix.isEmpty || key.functionPrefix == prefix }
}

extension KeyStrategy where Key == CacheKey {
  /// The argument is the key.
  public static var identity: KeyStrategy { identity(prefix: "") }

  /// The argument is the key, whose text begins with something.
  static func identity(prefix: String) -> KeyStrategy {
    KeyStrategy(prefix: prefix, isIdentity: true, argument: { $0 }, derive: { $0 })
  }
}

extension KeyStrategy where Key == String {
  /// The string is the key, escaped as one part: `me` is `me`, `a/b` is `a%2Fb`.
  public static var text: KeyStrategy {
    KeyStrategy(argument: { CacheKey.unescaped($0.text[...]) }, derive: { "\($0)" })
  }
}

extension KeyStrategy where Key: CacheKeyConvertible {
  /// The key of a cache without a function's name: a `CacheKey` and a string as they are, any
  /// other key as `%(part)`.
  static var single: KeyStrategy {
    if let identity = KeyStrategy<CacheKey>.identity as? KeyStrategy { return identity }
    if let text = KeyStrategy<String>.text as? KeyStrategy { return text }
    return .arguments(name: "")
  }

  /// The name and the argument are the key: `%name(part)`, or `%name(part,part)` for an
  /// ``ArgumentPair`` or ``ArgumentPack``.
  ///
  /// - Parameter name: the function's name in the cache.
  /// - Returns: the strategy.
  public static func arguments(name: String) -> KeyStrategy {
    KeyStrategy(prefix: CacheKey.argumentPrefix(name: name)) { CacheKey(name: name, key: $0) }
  }
}
