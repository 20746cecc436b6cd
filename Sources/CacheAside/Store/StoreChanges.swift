/// What others have invalidated in a store, for the memory tables before it.
public struct StoreChanges: Hashable, Sendable {
  /// Where the invalidations stand now; `nil` when the store keeps no order of its own.
  public var mark: LoadMark?

  /// Whether everything that was read before is out.
  public var isEverything: Bool

  /// What else was invalidated by somebody else since, in any order.
  public var invalidations: [StoreInvalidation]

  /// Makes changes.
  ///
  /// - Parameters:
  ///   - mark: where the invalidations stand now.
  ///   - isEverything: whether everything that was read before is out.
  ///   - invalidations: what else was invalidated by somebody else.
  public init(
    mark: LoadMark?,
    isEverything: Bool = false,
    invalidations: [StoreInvalidation] = []
  ) {
    self.mark = mark
    self.isEverything = isEverything
    self.invalidations = invalidations
  }
}
