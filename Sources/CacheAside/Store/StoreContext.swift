/// What a store learns from the cache that uses it.
public struct StoreContext: Sendable {
  /// The clock of the cache.
  public let time: TimeSource

  /// Reports what happened inside the store and no call throws.
  public let report: @Sendable (CacheEvent.Kind, CacheKey?, (any Error)?) -> Void

  /// Makes a context.
  ///
  /// - Parameters:
  ///   - time: the clock of the cache.
  ///   - report: reports what happened inside the store; called outside the store's locks.
  public init(
    time: TimeSource,
    report: @escaping @Sendable (CacheEvent.Kind, CacheKey?, (any Error)?) -> Void
  ) {
    self.time = time
    self.report = report
  }
}
