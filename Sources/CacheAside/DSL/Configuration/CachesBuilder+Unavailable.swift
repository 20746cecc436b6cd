// Advice for what does not belong into a `Caches` block; the real types keep the rest checkable.
extension CachesBuilder {
  /// A store outside a feature.
  ///
  /// - Parameter component: the store.
  /// - Returns: nothing.
  @available(
    *,
    unavailable,
    message: "a store belongs into a feature: Feature(\"name\") { Memory(); Disk() }"
  )
  public static func buildExpression<Component: StoreComponent>(
    _ component: Component
  ) -> Group<Defaults> { Group(components: []) }

  /// An empty block.
  ///
  /// - Returns: nothing.
  @available(
    *,
    unavailable,
    message: "name at least one feature, Feature(\"name\") { Memory() }, or use Caches.inMemory"
  )
  public static func buildBlock() -> Group<Defaults> { Group(components: []) }
}
