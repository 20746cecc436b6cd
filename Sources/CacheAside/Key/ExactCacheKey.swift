/// A type whose `==` says exactly whether two values give the same key bytes.
///
/// Its values stand for themselves in memory tables: no bytes are encoded on a hit. Integers,
/// `Bool`, `String`, `UUID`, `Duration` and ``CacheKey`` conform. Conform a type of your own when
/// it encodes everything that its `==` compares, and nothing that it does not:
///
/// ```swift
/// struct Page: ExactCacheKey {
///   var feed: String
///   var number: Int
///   func encode(into encoder: inout CacheKey.Encoder) {
///     encoder.encode(feed)
///     encoder.encode(number)
///   }
/// }
/// ```
///
/// A type with a floating-point property is not one, since its `==` says that NaN differs from
/// itself.
public protocol ExactCacheKey: CacheKeyConvertible where KeyIdentity == Self {}

extension ExactCacheKey {
  /// The value itself.
  @inlinable public var keyIdentity: Self { self }
}
