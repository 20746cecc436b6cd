/// Receives every event of a feature synchronously, outside the cache's locks.
///
/// It is called on whatever thread or task the event happens; keep it short.
public protocol CacheObserver: Sendable {
  /// Receives one event.
  ///
  /// - Parameter event: what happened.
  func receive(_ event: CacheEvent)
}
