// Advice for what does not belong into a feature's block.
extension StoresBuilder {
  /// Something that is not a store.
  ///
  /// - Parameter component: the component.
  /// - Returns: nothing.
  @available(
    *,
    unavailable,
    message:
      "only stores belong here, such as Memory() and Disk(); Defaults and Feature belong into Caches { }"
  )
  public static func buildExpression<Component: CachesComponent>(
    _ component: Component
  ) -> [any StoreComponent] { [] }

  /// An empty block.
  ///
  /// - Returns: nothing.
  @available(*, unavailable, message: "name at least one store, such as Memory()")
  public static func buildBlock() -> [any StoreComponent] { [] }
}
