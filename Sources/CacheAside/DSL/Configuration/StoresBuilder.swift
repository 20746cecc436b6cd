/// Builds the stores of a `Feature(…) { … }` or a `Cache(…) { … }`, fastest first.
@resultBuilder
public enum StoresBuilder {
  /// A store as it stands.
  ///
  /// - Parameter component: the store.
  /// - Returns: a list of it.
  public static func buildExpression(_ component: any StoreComponent) -> [any StoreComponent] {
    [component]
  }

  /// A list of stores.
  ///
  /// - Parameter components: the stores.
  /// - Returns: the list.
  public static func buildExpression(
    _ components: [any StoreComponent]
  ) -> [any StoreComponent] { components }

  /// The first store.
  ///
  /// - Parameter first: a list of it.
  /// - Returns: the list.
  public static func buildPartialBlock(
    first: [any StoreComponent]
  ) -> [any StoreComponent] { first }

  /// What came before, and the next.
  ///
  /// - Parameters:
  ///   - accumulated: what came before.
  ///   - next: the next.
  /// - Returns: both in order.
  public static func buildPartialBlock(
    accumulated: [any StoreComponent],
    next: [any StoreComponent]
  ) -> [any StoreComponent] { accumulated + next }

  /// An `if` without `else`.
  ///
  /// - Parameter components: the stores, if the condition held.
  /// - Returns: them, or nothing.
  public static func buildOptional(
    _ components: [any StoreComponent]?
  ) -> [any StoreComponent] { components ?? [] }

  /// The first branch of an `if` or `switch`.
  ///
  /// - Parameter components: its stores.
  /// - Returns: them.
  public static func buildEither(
    first components: [any StoreComponent]
  ) -> [any StoreComponent] { components }

  /// The second branch of an `if` or `switch`.
  ///
  /// - Parameter components: its stores.
  /// - Returns: them.
  public static func buildEither(
    second components: [any StoreComponent]
  ) -> [any StoreComponent] { components }

  /// A `for` loop.
  ///
  /// - Parameter components: the stores of each round.
  /// - Returns: all of them.
  public static func buildArray(
    _ components: [[any StoreComponent]]
  ) -> [any StoreComponent] { components.flatMap(\.self) }

  /// Stores behind `if #available`.
  ///
  /// - Parameter components: the stores.
  /// - Returns: them.
  public static func buildLimitedAvailability(
    _ components: [any StoreComponent]
  ) -> [any StoreComponent] { components }
}
