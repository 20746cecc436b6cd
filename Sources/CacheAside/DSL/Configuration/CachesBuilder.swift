/// Builds the content of `Caches { … }` from components.
@resultBuilder
public enum CachesBuilder {
  /// Two components in order: what the builder folds into.
  public struct Pair<First: CachesComponent, Second: CachesComponent>: CachesComponent {
    let first: First
    let second: Second

    /// Applies the first, then the second.
    ///
    /// - Parameter plan: what has been said so far.
    /// - Throws: what they throw.
    public func apply(to plan: inout CachesPlan) throws {
      try first.apply(to: &plan)
      try second.apply(to: &plan)
    }
  }

  /// Any number of components of one type.
  public struct Group<Component: CachesComponent>: CachesComponent {
    let components: [Component]

    /// Applies them in order.
    ///
    /// - Parameter plan: what has been said so far.
    /// - Throws: what they throw.
    public func apply(to plan: inout CachesPlan) throws {
      for component in components { try component.apply(to: &plan) }
    }
  }

  /// One of two components.
  public enum Either<First: CachesComponent, Second: CachesComponent>: CachesComponent {
    /// The first branch was taken.
    case first(First)
    /// The second branch was taken.
    case second(Second)

    /// Applies the branch that was taken.
    ///
    /// - Parameter plan: what has been said so far.
    /// - Throws: what it throws.
    public func apply(to plan: inout CachesPlan) throws {
      switch self {
      case .first(let component): try component.apply(to: &plan)
      case .second(let component): try component.apply(to: &plan)
      }
    }
  }

  /// A component as it stands.
  ///
  /// - Parameter component: the component.
  /// - Returns: the component.
  public static func buildExpression<Component: CachesComponent>(
    _ component: Component
  ) -> Component { component }

  /// The first component.
  ///
  /// - Parameter first: the component.
  /// - Returns: the component.
  public static func buildPartialBlock<Component: CachesComponent>(
    first: Component
  ) -> Component { first }

  /// What came before, and one more component.
  ///
  /// - Parameters:
  ///   - accumulated: what came before.
  ///   - next: the next component.
  /// - Returns: both.
  public static func buildPartialBlock<First: CachesComponent, Second: CachesComponent>(
    accumulated: First,
    next: Second
  ) -> Pair<First, Second> { Pair(first: accumulated, second: next) }

  /// An `if` without `else`.
  ///
  /// - Parameter component: the component, if the condition held.
  /// - Returns: it, or nothing.
  public static func buildOptional<Component: CachesComponent>(
    _ component: Component?
  ) -> Group<Component> { Group(components: component.map { [$0] } ?? []) }

  /// The first branch of an `if` or `switch`.
  ///
  /// - Parameter component: its component.
  /// - Returns: it.
  public static func buildEither<First: CachesComponent, Second: CachesComponent>(
    first component: First
  ) -> Either<First, Second> { .first(component) }

  /// The second branch of an `if` or `switch`.
  ///
  /// - Parameter component: its component.
  /// - Returns: it.
  public static func buildEither<First: CachesComponent, Second: CachesComponent>(
    second component: Second
  ) -> Either<First, Second> { .second(component) }

  /// A `for` loop.
  ///
  /// - Parameter components: one a round.
  /// - Returns: all of them.
  public static func buildArray<Component: CachesComponent>(
    _ components: [Component]
  ) -> Group<Component> { Group(components: components) }

  /// A component behind `if #available`.
  ///
  /// - Parameter component: the component.
  /// - Returns: the component.
  public static func buildLimitedAvailability<Component: CachesComponent>(
    _ component: Component
  ) -> Component { component }
}
