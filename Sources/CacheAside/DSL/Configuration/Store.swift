/// Any store as a store of a feature, for one that has no component of its own.
public struct Store: StoreComponent {
  private let plan: TierPlan

  /// A store with its settings.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - faultPolicy: what its failures mean for a call.
  ///   - lifetimeCap: the longest life an entry has in it; `nil` for its own.
  public init(
    _ store: any CacheStore,
    faultPolicy: TierFaultPolicy = .miss,
    lifetimeCap: Window? = nil
  ) {
    plan = TierPlan(store: store, faultPolicy: faultPolicy, lifetimeCap: lifetimeCap)
  }

  /// Adds the store.
  ///
  /// - Parameter plan: the stores above it.
  public func apply(to plan: inout StoresPlan) { plan.add(self.plan) }
}
