/// A value with the story of how it was found.
public struct CacheOutcome<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value

  /// Where it came from.
  public let source: CacheSource

  /// How long ago it was stored; zero when it was produced just now.
  public let age: Duration

  /// How long it stays fresh; zero when it is expired or was not stored, `nil` for ever.
  public let remainingLife: Duration?

  /// Whether no producer ran for it: also true for callers that joined a load which found the
  /// value in a store.
  public let isLoadedFromCache: Bool

  init(
    value: Value,
    source: CacheSource,
    age: Duration,
    remainingLife: Duration?,
    isLoadedFromCache: Bool
  ) {
    self.value = value
    self.source = source
    self.age = age
    self.remainingLife = remainingLife
    self.isLoadedFromCache = isLoadedFromCache
  }
}
