import Synchronization

/// A typed cache: memory first, then the feature's stores, then the producer, once per key.
///
/// Get one from a feature (`caches["profiles"].cache(Int.self, Profile.self)`) or make one of its
/// own. All methods may be called from any thread or task. Synchronous reads and writes use memory
/// and blocking stores on the caller's thread; everything else suspends instead of blocking.
public final class Cache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline let memory: MemoryStore<Key, Value>
  @usableFromInline let core: FeatureCore
  @usableFromInline let ambient = Ambient.use
  let flights: FlightTable<Key, Loaded<Value>>
  /// The outer locks of the flights' stripes.
  @usableFromInline let gates: [StripeGate]
  let strategy: KeyStrategy<Key>
  /// The named form's name.
  let tableName: String?
  /// Which keys of the feature it may hold.
  let reach: KeyReach
  /// Whether another table may hold them, too.
  @usableFromInline let kinship = Kinship()
  let codec: Codec<Value>?
  let type: UInt64
  /// Whether keys may differ from themselves, so that they are looked at.
  @usableFromInline let mayMissKeys: Bool
  /// How many values were encoded.
  let encodedCount = Atomic<UInt64>(0)
  /// The cost of a value; `nil` takes the default.
  @usableFromInline let costOf: (@Sendable (Value) -> Int)?

  /// Whether there is anything in the next two.
  @usableFromInline let failures = FailureFlag()
  /// Whose producers rest after a failed load.
  let rests = FailureRests<Key>()
  /// Holds loads back while their source is down; `nil` for a table of calls that name no function.
  let ownBreaker: SharedBreaker?
  /// Errors that are thrown again without a load.
  let errors = LazyPointer<MemoryStore<HashedKey<Key>, RememberedError>>()
  /// The last entry's terms, for the next that says the same.
  let lastTerms = Lock<EntryTerms?>(nil)

  /// What the memory table had counted at the last reset.
  let countersAtReset = Lock(MemoryCounters())
  /// Where calls go while a scope is bound, for keys of other types than `CacheKey`.
  private let scopedTable = AtomicLazyReference<Cache<CacheKey, Value>>()

  /// Makes a table of a feature, whose limits were checked.
  init(
    core: FeatureCore,
    strategy: KeyStrategy<Key>,
    name tableName: String? = nil,
    isScoped: Bool = false,
    codec: Codec<Value>? = nil,
    cost: (@Sendable (Value) -> Int)? = nil,
    breaker: SharedBreaker? = SharedBreaker(),
    onRemoval: (@Sendable (Key, Value, RemovalReason) -> Void)? = nil
  ) {
    self.core = core
    self.strategy = strategy
    self.tableName = tableName
    self.codec = codec ?? Codec.automatic(for: Value.self)
    self.type = TypeIdentity.of(Value.self)
    self.costOf = cost
    self.mayMissKeys = tableName == nil && Self.keysMayDiffer
    ownBreaker = breaker
    self.memory = core.memoryPlan.makeStore(
      time: core.time,
      stamps: core.stamps,
      onRemoval: onRemoval
    )
    self.flights = FlightTable(
      time: core.time,
      naming: strategy.derive,
      onOverdue: { core.overdue(strategy.derive($0)) }
    )
    self.gates = flights.gates
    reach = KeyReach(strategy, isScoped: isScoped, isIndexed: core.hasTiers)
    // With slower stores the key of whatever may be stored is derived anyway.
    if core.hasTiers, strategy.argument == nil, makeIndex().beginFilling() {
      makeIndex().endFilling()
    }
    core.know(self)
    core.adoptLimits(self)
  }

  deinit { core.forget(ObjectIdentifier(self), reach, bareType, countersSinceReset) }

  /// The feature's name.
  public var name: String { core.name }

  /// The schema of the records that this table writes and reads.
  var schema: UInt32 {
    codec?.schema.number(of: Value.self, feature: core.namespace.version) ?? 0
  }

  /// The key as stores see it.
  func storeKey(_ key: Key) -> CacheKey {
    WorkLog.count(.derivedKey)
    return core.storeKey(strategy.derive(key))
  }

  /// The table and key that a call uses while a scope is bound, or for a key that this table cannot
  /// find again (`elsewhere`): always one by `CacheKey`.
  ///
  /// - Returns: `nil` when this table is the one.
  func scoped(_ key: Key) -> (table: Cache<CacheKey, Value>, key: CacheKey)? {
    guard let scope = Ambient.scope else { return elsewhere(key) }
    let key = strategy.derive(key)
    guard key.namespace == nil else { return nil }
    return (tableByCacheKey, key.within(core.namespace.scoped(scope)))
  }

  /// The table by `CacheKey` beside this one, if a scope was ever bound.
  var scopedTableIfMade: Cache<CacheKey, Value>? { scopedTable.load() }

  var tableByCacheKey: Cache<CacheKey, Value> {
    if strategy.isIdentity, let table = self as? Cache<CacheKey, Value> { return table }
    if let table = scopedTable.load() { return table }
    return scopedTable.storeIfNil(
      Cache<CacheKey, Value>(
        core: core,
        strategy: .identity(prefix: strategy.prefix),
        // It may also hold keys that the table beside it cannot find again.
        isScoped: !mayMissKeys,
        codec: codec,
        cost: costOf,
        breaker: ownBreaker
      )
    )
  }

  /// A fresh value from memory; counts and records recency.
  @inlinable @inline(__always)
  func probe(_ key: Key) -> Value? {
    if ambient.concernsHits, Ambient.concernsHits() { return probeScoped(key) }
    return memory.value(for: key)
  }

  /// The same for a call that may load: nothing while a mode is bound, which then decides.
  @inlinable @inline(__always)
  func probeByMode(_ key: Key) -> Value? {
    if ambient.concernsHits, Ambient.concernsHits() { return probeBound(key) }
    return memory.value(for: key)
  }

  @usableFromInline @inline(never)
  func probeBound(_ key: Key) -> Value? {
    Ambient.mode == .default ? probeScoped(key) : nil
  }

  @usableFromInline @inline(never)
  func probeScoped(_ key: Key) -> Value? {
    if let trace = Ambient.trace { return probe(key, in: trace) }
    if let scoped = scoped(key) { return scoped.table.memory.value(for: scoped.key) }
    return memory.value(for: key)
  }
}
