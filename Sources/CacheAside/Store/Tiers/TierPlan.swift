/// A store with its settings, before it becomes a tier.
public struct TierPlan: Sendable {
  /// The store.
  public var store: any CacheStore

  /// What its failures mean for a call.
  public var faultPolicy: TierFaultPolicy

  /// The longest life an entry has in it; `nil` for its own.
  public var lifetimeCap: Window?

  /// How long a read may take until it is a miss; `nil` takes the default.
  ///
  /// The default is 250 ms for a store that suspends and no limit for one that blocks a thread.
  /// `.unlimited` waits for ever.
  public var readDeadline: Window?

  /// How long a write or removal may take until it has failed; `nil` takes the default.
  ///
  /// The default is a second for a store that suspends and no limit for one that blocks a thread.
  /// `.unlimited` waits for ever.
  public var writeDeadline: Window?

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - faultPolicy: what its failures mean for a call.
  ///   - lifetimeCap: the longest life an entry has in it.
  ///   - readDeadline: how long a read may take until it is a miss; `nil` takes the default.
  ///   - writeDeadline: how long a write or removal may take until it has failed; `nil` takes the
  ///     default.
  public init(
    store: any CacheStore,
    faultPolicy: TierFaultPolicy = .miss,
    lifetimeCap: Window? = nil,
    readDeadline: Window? = nil,
    writeDeadline: Window? = nil
  ) {
    self.store = store
    self.faultPolicy = faultPolicy
    self.lifetimeCap = lifetimeCap
    self.readDeadline = readDeadline
    self.writeDeadline = writeDeadline
  }
}
