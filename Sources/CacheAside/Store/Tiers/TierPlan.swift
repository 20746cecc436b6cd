/// A store with its settings, before it becomes a tier.
public struct TierPlan: Sendable {
  /// The store.
  public var store: any CacheStore

  /// What its failures mean for a call.
  public var faultPolicy: TierFaultPolicy

  /// The longest life an entry has in it; `nil` for its own.
  public var lifetimeCap: Window?

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - faultPolicy: what its failures mean for a call.
  ///   - lifetimeCap: the longest life an entry has in it.
  public init(
    store: any CacheStore,
    faultPolicy: TierFaultPolicy = .miss,
    lifetimeCap: Window? = nil
  ) {
    self.store = store
    self.faultPolicy = faultPolicy
    self.lifetimeCap = lifetimeCap
  }
}
