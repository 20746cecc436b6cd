/// How a call becomes a key.
public struct KeyStrategy<Key: Sendable>: Sendable {
  /// Derives the key, still without a namespace.
  ///
  /// It is synchronous, has no side effects and is never called under a lock.
  public let derive: @Sendable (Key) -> CacheKey

  private init(derive: @escaping @Sendable (Key) -> CacheKey) {
    self.derive = derive
  }

  /// Derives the key by a closure.
  ///
  /// - Parameter template: gives the key of an argument, for example `{ "user/\($0)" }`.
  /// - Returns: the strategy.
  public static func template(_ template: @escaping @Sendable (Key) -> CacheKey) -> KeyStrategy {
    KeyStrategy(derive: template)
  }
}

extension KeyStrategy where Key == CacheKey {
  /// The argument is the key.
  public static var identity: KeyStrategy { KeyStrategy { $0 } }
}

extension KeyStrategy where Key == String {
  /// The string is the key, escaped as one part: `me` is `me`, `a/b` is `a%2Fb`.
  public static var text: KeyStrategy { KeyStrategy { "\($0)" } }
}

extension KeyStrategy where Key: CacheKeyConvertible {
  /// The name and the argument are the key: `%name(part)`, or `%name(part,part)` for an
  /// ``ArgumentPair`` or ``ArgumentPack``.
  ///
  /// - Parameter name: the function's name in the cache.
  /// - Returns: the strategy.
  public static func arguments(name: String) -> KeyStrategy {
    KeyStrategy { CacheKey(name: name, key: $0) }
  }
}
