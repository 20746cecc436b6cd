/// A stored value of any age with its times, as `entry(for:)` shows it.
public struct CachedEntry<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value

  /// Where it was found: `.memory` or `.store(name)`.
  public let source: CacheSource

  /// Whether a normal read returns it.
  public let isFresh: Bool

  /// How long ago it was stored.
  public let age: Duration

  /// How long it stays fresh; zero when expired, `nil` for ever.
  public let remainingLife: Duration?

  init(
    value: Value,
    source: CacheSource,
    isFresh: Bool,
    age: Duration,
    remainingLife: Duration?
  ) {
    self.value = value
    self.source = source
    self.isFresh = isFresh
    self.age = age
    self.remainingLife = remainingLife
  }
}
