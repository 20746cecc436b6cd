/// A store inside a `Feature(…) { … }` block.
///
/// A third party's store becomes a component exactly as ours do: make the store in
/// ``apply(to:)`` and add it.
public protocol StoreComponent: Sendable {
  /// Adds the store to a plan.
  ///
  /// - Parameter plan: the stores above it.
  /// - Throws: `CacheError` for settings that contradict each other; whatever opening throws.
  func apply(to plan: inout StoresPlan) throws
}
