import Synchronization

/// What all tables of a feature share: policy, stores, clock, events, counters.
@usableFromInline
final class FeatureCore: Sendable {
  let name: String
  let namespace: Namespace
  /// The feature's policy, resolved for calls that add nothing to it.
  let terms: LoadTerms
  /// The order of invalidations by tag and namespace.
  let stamps = InvalidationStamps()
  /// What was asked to be loaded again.
  let refreshes = RefreshRequests()
  /// Limits how many producers run, if the policy says so.
  let bulkhead: Bulkhead?
  /// The breaker of all loads, for a policy that says so.
  let breaker = SharedBreaker()
  let backgroundLoads = Atomic<Int>(0)
  private let currentMemoryPlan: Lock<MemoryPlan>
  let tiers: [Tier]
  @usableFromInline let time: TimeSource
  let events: EventHub
  let counters = FeatureCounters()
  /// For how many nanoseconds a value is stored, `max` without end; zero where a write has to think:
  /// of slower stores, of values to keep beyond their life, of an instant at which they expire.
  @usableFromInline let plainLifetime: Int64
  /// Whether the advisor has a word about a second table still to say.
  let advisesOnTables = Atomic<Bool>(false)
  /// Its tables, by the keys that they may hold.
  let directory = Lock(TableDirectory())
  /// Who keeps them.
  let keeper = Lock(TableKeeper())
  /// What tables that are gone had counted.
  let goneCounters = Lock(MemoryCounters())
  /// Whether what cannot be stored fails the call that would have stored it.
  let isStrict: Bool
  /// Whether a failure of some store does.
  let failsOnFault: Bool
  /// The types that the advisor has spoken of.
  let advisedTypes = Lock<Set<ObjectIdentifier>>([])
  /// The changes that are going on in the slower tiers.
  let barriers = WriteBarriers()
  /// Lets one `update` of a key at a time into the slower tiers; `nil` without any.
  let updates: AsyncGate?
  let closed = Atomic<Bool>(false)
  /// The verbs that have begun and not ended.
  let verbs = WorkGate()
  /// Whether `close` could wait for them no longer.
  let isCutOff = Atomic<Bool>(false)
  /// Opens when `close` has ended.
  let ended = Latch()
  /// What `close` has thrown, once it has ended.
  let closingFailure = Lock<(any Error)?>(nil)
  let sweeping = Lock(Sweeping())
  /// How often the memory tables were swept.
  let sweeps = Counter()
  /// Up to where the memory tables know the invalidations of each tier.
  let knownMarks = Lock<[LoadMark?]>([])
  private let memoryPressure = Lock<MemoryPressure?>(nil)

  init(
    name: String,
    version: Int? = nil,
    terms: LoadTerms,
    memory: MemoryPlan,
    tiers: [TierPlan],
    time: TimeSource,
    isStrict: Bool = false
  ) {
    self.terms = terms
    self.isStrict = isStrict
    failsOnFault = tiers.contains { $0.faultPolicy == .fail }
    bulkhead = terms.fields.maximumConcurrentLoads.map { Bulkhead(limit: max(1, $0)) }
    let events = EventHub()
    let context = TierContext(time: time) { kind, store, key, error in
      events.send(CacheEvent(kind, feature: name, store: store, key: key, error: error))
    }
    self.name = name
    self.namespace = Namespace(name, version: version)
    currentMemoryPlan = Lock(memory)
    updates = tiers.isEmpty ? nil : AsyncGate()
    plainLifetime = tiers.isEmpty ? Self.plainLifetime(terms.policy) : 0
    self.tiers = tiers.map {
      Tier(
        $0.store,
        faultPolicy: $0.faultPolicy,
        lifetimeCap: $0.lifetimeCap,
        readDeadline: $0.readDeadline,
        writeDeadline: $0.writeDeadline,
        context: context
      )
    }
    self.time = time
    self.events = events
    let pressure = MemoryPressure { [weak self] isCritical in
      for table in self?.tables ?? [] { table.trimMemory(isCritical ? 1 : 0.5) }
    }
    memoryPressure.withLock { $0 = pressure }
  }

  private static func plainLifetime(_ policy: CachePolicy) -> Int64 {
    // Whatever a write has to look at beside the expiry takes the long way.
    var plain = CachePolicy.Fields()
    plain.expiry = policy.expiry
    plain.whenUnobserved = policy.whenUnobserved
    plain.breaker = policy.breaker
    plain.failuresToBackOff = policy.failuresToBackOff
    guard policy.fields == plain else { return 0 }
    switch (policy.expiry ?? .never).kind {
    case .never: return .max
    case .after(let nanoseconds): return max(0, nanoseconds)
    case .idle, .at, .invalid: return 0
    }
  }

  /// The terms of a call's policy.
  func terms(of policy: CachePolicy) throws -> LoadTerms {
    policy.isEmpty ? terms : try LoadTerms(policy.inheriting(from: self.policy))
  }

  /// A place among the loads in the background; `nil` when too many run.
  func enterBackground() -> Permit? {
    let count = backgroundLoads.add(1, ordering: .acquiringAndReleasing).newValue
    guard count <= Self.backgroundLimit else {
      backgroundLoads.subtract(1, ordering: .acquiringAndReleasing)
      return nil
    }
    return Permit { [self] in backgroundLoads.subtract(1, ordering: .acquiringAndReleasing) }
  }

  /// How many loads run in the background at once; what does not fit is tried by a later read.
  private static let backgroundLimit = 1_024

  /// Refuses a call without the scope parts that the feature requires.
  func checkScope(_ terms: LoadTerms) throws {
    guard let required = terms.fields.requiredScope, !required.isEmpty else { return }
    let scope = Ambient.scope ?? .none
    let missing = required.filter { scope[$0] == nil }
    if missing.isEmpty { return }
    throw CacheError(
      .missingScope,
      "feature \"\(name)\" needs the scope parts \(missing.joined(separator: ", ")), so that what "
        + "belongs to one is never shown to another; bind them with Caches.withScope"
    )
  }

  /// The same where nothing can be thrown.
  var hasRequiredScope: Bool {
    guard let required = terms.fields.requiredScope, !required.isEmpty else { return true }
    let scope = Ambient.scope ?? .none
    return required.allSatisfy { scope[$0] != nil }
  }

  var policy: CachePolicy { terms.policy }

  /// How tables of the feature are made from now on.
  var memoryPlan: MemoryPlan { currentMemoryPlan.withLock { $0 } }

  /// Changes the limits of the tables that are made from now on.
  func setMemoryPlanLimits(_ limits: MemoryLimits) throws {
    try currentMemoryPlan.withLock { plan in
      try plan.limits.checkChange(to: limits)
      plan.limits = limits
    }
  }

  /// Whether `close` was called: loads go straight to their producers then, and nothing else is done.
  @usableFromInline var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Whether stores stand behind the memory tables.
  @usableFromInline var hasTiers: Bool { !tiers.isEmpty }

  var now: Moment { Moment(monotonic: time.precise, wall: time.wall) }

  func report(
    _ kind: CacheEvent.Kind,
    store: String? = nil,
    key: CacheKey? = nil,
    error: (any Error)? = nil
  ) {
    events.send(CacheEvent(kind, feature: name, store: store, key: key, error: error))
  }

  /// The key as stores see it: in the feature's namespace, unless it is in one already.
  func storeKey(_ key: CacheKey) -> CacheKey {
    key.namespace == nil ? key.within(namespace) : key
  }

  /// The key as stores see it, with the bound scope.
  func scopedStoreKey(_ key: CacheKey) -> CacheKey {
    guard key.namespace == nil, let scope = Ambient.scope else { return storeKey(key) }
    return key.within(namespace.scoped(scope))
  }
}
