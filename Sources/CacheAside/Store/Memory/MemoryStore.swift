// The memory tier: a sharded table with hard limits, eviction and expiry.
//
// A power of two of shards lies in one block of raw memory, each on cache lines of its own with its
// own lock, table, policy state and counters; nothing is shared between them. The hash is taken
// once, before the lock. A hit locks, compares, bumps a two-bit counter, copies the value and
// unlocks. Everything on its way is inlinable, so that a client's copy is specialised.
//
// `@unchecked Sendable`: `shards` is raw memory that is written in `init` and `deinit` only; what
// is in it is reached through the lock of each shard.
public import Synchronization

/// A bounded table of values in memory.
///
/// Limits hold at every instant. Times are nanoseconds of the injected clock's monotonic hand;
/// `Int64.max` is never. All methods are synchronous, may be called from any thread, and never call
/// user code under a lock, except `==` of keys. A sharded store fills to within about 2 % of its
/// limit when every key must fit; an exact one, with one shard, to the limit.
@safe
public final class MemoryStore<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  /// Called with what was removed, and why, outside every lock and in order for each key.
  public typealias RemovalListener = @Sendable (Key, Value, RemovalReason) -> Void

  @usableFromInline typealias Shard = MemoryShard<Key, Value>
  @usableFromInline typealias Table = MemoryTable<Key, Value>

  @usableFromInline let shards: UnsafeMutableRawPointer
  @usableFromInline let shardMask: Int
  @usableFromInline let seed: UInt64
  @usableFromInline let stringKey: SipHash.Key
  @usableFromInline let time: TimeSource
  @usableFromInline let foldsIntegers: Bool
  /// The flag of the most precise clock that a shard needs; hits are at their fastest while it is
  /// zero.
  @usableFromInline let attention = Atomic<UInt32>(0)
  @usableFromInline let sleepOffset: SystemClock.SleepOffset
  @usableFromInline let listener: RemovalListener?
  /// How many clears and trims go on; the listener is told when they are over.
  let holds = Atomic<Int>(0)

  let stamps: InvalidationStamps?
  let currentLimits: Lock<MemoryLimits>

  /// Which entry leaves when there is no room.
  public let policy: EvictionPolicy

  /// Makes an empty store.
  ///
  /// - Parameters:
  ///   - limits: what it may hold.
  ///   - policy: which entry leaves when there is no room.
  ///   - exact: whether it fills to its limit exactly, at the price of one lock for all.
  ///   - time: the clock that lifetimes are measured with.
  ///   - resistsFlooding: whether integer keys, too, are hashed by SipHash; for keys that an
  ///     attacker may choose.
  ///   - listener: told about every removed value.
  /// - Throws: `CacheError` with the code `invalidConfiguration` when a limit is negative.
  public convenience init(
    limits: MemoryLimits,
    policy: EvictionPolicy = .lazyTinyLFU,
    exact: Bool = false,
    time: TimeSource = .system,
    resistsFlooding: Bool = false,
    listener: RemovalListener? = nil
  ) throws {
    try self.init(
      limits: limits,
      policy: policy,
      exact: exact,
      time: time,
      resistsFlooding: resistsFlooding,
      stamps: nil,
      listener: listener
    )
  }

  /// Makes an empty store whose entries may be invalidated by tag and namespace.
  init(
    limits: MemoryLimits,
    policy: EvictionPolicy = .lazyTinyLFU,
    exact: Bool = false,
    time: TimeSource = .system,
    resistsFlooding: Bool = false,
    stamps: InvalidationStamps?,
    listener: RemovalListener? = nil
  ) throws {
    try limits.validate()
    currentLimits = Lock(limits)
    self.stamps = stamps
    self.policy = policy
    self.time = time
    self.listener = listener
    foldsIntegers = !resistsFlooding
    sleepOffset = SystemClock.sleepOffset
    seed = time.random()
    stringKey = SipHash.Key(seed: seed)
    let width = resistsFlooding ? 0 : FoldedHash.integerWidth(of: Key.self)
    let count = limits.shardCount(exact: exact)
    shardMask = count - 1
    unsafe shards = UnsafeMutableRawPointer.allocate(
      byteCount: count * Shard.stride,
      alignment: 64
    )
    let now = time.coarse
    for index in 0..<count {
      let core = ShardCore(
        limits: limits.part(of: index, among: count),
        policy: policy,
        table: PositionTable(
          now: now,
          isExact: time.isExact,
          keepsHashes: width == 0,
          stamps: stamps
        )
      )
      let table = Table(
        core: core,
        hasListener: listener != nil,
        integerWidth: width,
        seed: seed
      )
      unsafe (shards + index * Shard.stride).initializeMemory(as: Shard.self, to: Shard(table))
    }
  }

  deinit {
    for index in 0...shardMask { unsafe shard(index).deinitialize(count: 1) }
    unsafe shards.deallocate()
  }

  /// How many shards there are.
  var shardCount: Int { shardMask + 1 }

  @inlinable @inline(__always)
  func shard(_ index: Int) -> UnsafeMutablePointer<Shard> {
    unsafe (shards + index &* Shard.stride).assumingMemoryBound(to: Shard.self)
  }

  /// The shard of a hash, by its top bits.
  @inlinable @inline(__always)
  func shardIndex(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash &>> 60) & shardMask
  }

  /// The hash of a key in this store; valid for this store only.
  ///
  /// Runs the key's `hash(into:)`, unless it is a standard integer or a string. Callers that use a key for
  /// several operations hash it once and pass it on.
  ///
  /// - Parameter key: the key.
  /// - Returns: 64 bits.
  @inlinable @inline(__always)
  func hash(of key: Key) -> UInt64 {
    let width = FoldedHash.integerWidth(of: Key.self)
    if width != 0 && foldsIntegers {
      return FoldedHash.fold(FoldedHash.bits(of: key, width: width), seed: seed)
    }
    if Key.self == String.self {
      // A cast of a type to itself, which specialised code leaves out.
      return StringHash.hash(unsafe unsafeBitCast(key, to: String.self), stringKey)
    }
    if Key.self == CacheKey.self {
      // The same cast: a key hashes its own words, with no `Hasher` in between.
      return unsafe unsafeBitCast(key, to: CacheKey.self).hash(stringKey)
    }
    return UInt64(
      truncatingIfNeeded: key._rawHashValue(seed: Int(truncatingIfNeeded: seed))
    )
  }

  @inlinable
  func withTable<Result: Sendable>(
    _ index: Int,
    _ body: (inout Table) -> Result
  ) -> Result {
    unsafe shard(index).pointee.lock.withLock { body(&$0) }
  }

  /// Makes readers look at what a shard needs from now on; called under its lock.
  @inlinable
  func raiseAttention(_ table: borrowing Table) {
    let needed = table.core.table.flags & PositionTable.clockFlags
    if needed > attention.load(ordering: .relaxed) { attention.max(needed, ordering: .relaxed) }
  }

  @inlinable
  func displaced(from shard: Int) -> Displaced<Key, Value> {
    Displaced(from: shard, listening: listener == nil ? nil : self)
  }
}
