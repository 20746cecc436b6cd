/// A part of a `Caches { … }` block.
public protocol CachesComponent {
  /// Adds the part to a plan.
  ///
  /// - Parameter plan: what has been said so far.
  /// - Throws: `CacheError` for what contradicts it.
  func apply(to plan: inout CachesPlan) throws
}
