/// Any store as a store of a feature, for one that has no component of its own.
public struct Store: StoreComponent {
  private let plan: TierPlan

  /// A store with its settings.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - faultPolicy: what its failures mean for a call.
  ///   - lifetimeCap: the longest life an entry has in it; `nil` for its own.
  ///   - readDeadline: how long a read may take until it is a miss; `nil` takes the default: 250 ms for
  ///     a store that suspends, no limit for one that blocks a thread.
  ///   - writeDeadline: how long a write or removal may take until it has failed; `nil` takes the
  ///     default: a second for a store that suspends, no limit for one that blocks a thread.
  public init(
    _ store: any CacheStore,
    faultPolicy: TierFaultPolicy = .miss,
    lifetimeCap: Window? = nil,
    readDeadline: Window? = nil,
    writeDeadline: Window? = nil
  ) {
    plan = TierPlan(
      store: store,
      faultPolicy: faultPolicy,
      lifetimeCap: lifetimeCap,
      readDeadline: readDeadline,
      writeDeadline: writeDeadline
    )
  }

  /// Adds the store.
  ///
  /// - Parameter plan: the stores above it.
  public func apply(to plan: inout StoresPlan) { plan.add(self.plan) }
}
