/// What a tier needs of the feature it belongs to.
struct TierContext: Sendable {
  let time: TimeSource
  /// Kind, store, key, error.
  let report: @Sendable (CacheEvent.Kind, String, CacheKey?, (any Error)?) -> Void
}
