import Synchronization

/// Encoded entries in memory: a ``CacheStore`` for lower tiers, tests and the conformance kit.
///
/// The cost of an entry is its size in bytes, keys and metadata included. Entries are kept until
/// they are removed, evicted, or dropped by ``removeExpired()``. Nothing blocks, so the synchronous
/// and asynchronous requirements do the same. A store that is given to several features is shared
/// by them; namespaces keep their keys apart.
public final class MemoryCacheStore: BlockingCacheStore {
  /// `memory`.
  public let name = "memory"

  /// Lists its entries, removes unchanged ones atomically and invalidates selections.
  public let capabilities: StoreCapabilities = [.scan, .compareAndDelete, .invalidate]

  let table: MemoryStore<CacheKey, CacheEntry>
  private let time: Lock<TimeSource>

  /// Makes an empty store.
  ///
  /// - Parameters:
  ///   - limits: how many entries and bytes it may hold.
  ///   - policy: which entry leaves when there is no room.
  ///   - time: the clock to judge expired entries by, until a cache brings its own.
  /// - Throws: `CacheError` with the code `invalidConfiguration` when a limit is negative.
  public init(
    limits: MemoryLimits = .unlimited,
    policy: EvictionPolicy = .lazyTinyLFU,
    time: TimeSource = .system
  ) throws {
    table = try MemoryStore(limits: limits, policy: policy, time: time)
    self.time = Lock(time)
  }

  /// Takes over the clock of the cache.
  ///
  /// - Parameter context: the clock; reports are not needed.
  public func attach(_ context: StoreContext) {
    // A clock may be a user's object, and must not end under the lock.
    let previous = time.withLock { time in
      defer { time = context.time }
      return time
    }
    _ = previous
  }

  /// What an entry costs, in bytes.
  static func cost(of entry: CacheEntry, _ key: CacheKey) -> Int {
    let fixed = MemoryLayout<CacheKey>.size + MemoryLayout<CacheEntry>.size
    let metadata = entry.metadata.fields.reduce(0) { $0 + 32 + $1.bytes.count }
    return fixed + key.qualified.utf8.count + metadata + (entry.payload?.count ?? 0)
  }

  func isKept(_ entry: CacheEntry, at wall: Int64) -> Bool {
    entry.keptUntil == .max || wall < entry.keptUntil
  }

  var wall: Int64 { time.withLock { $0 }.wall }
}
