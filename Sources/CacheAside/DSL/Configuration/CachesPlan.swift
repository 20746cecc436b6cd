/// What a `Caches { … }` block says, before any cache is made.
public struct CachesPlan: Sendable {
  /// The clock of all features.
  public let time: TimeSource

  /// What every feature inherits.
  public var defaults = CachePolicy()

  /// The features in the order in which they were named.
  public private(set) var features: [FeaturePlan] = []

  /// Whether settings that contradict each other are refused.
  public let isStrict: Bool

  init(time: TimeSource, isStrict: Bool = false) {
    self.time = time
    self.isStrict = isStrict
  }

  /// Adds a feature.
  ///
  /// - Parameter feature: its plan.
  /// - Throws: `CacheError` when a feature of that name is there already.
  public mutating func add(_ feature: FeaturePlan) throws {
    if features.contains(where: { $0.name == feature.name }) {
      throw CacheError(
        .invalidConfiguration,
        "feature \"\(feature.name)\" is configured twice; merge the two into one"
      )
    }
    features.append(feature)
  }
}
