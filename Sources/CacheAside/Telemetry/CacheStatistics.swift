/// What a feature has done so far: a snapshot of its counters.
///
/// One lookup counts once: `hits + misses + coalesced + staleServed` is the number of lookups.
/// Counters are 64 bits wide and wrap instead of trapping. They are read one after the other, so a
/// snapshot taken while calls run may be off by those calls.
public struct CacheStatistics: Hashable, Sendable {
  /// What one tier has done.
  public struct Tier: Hashable, Sendable {
    /// The tier's name, `memory` or that of its store.
    public var name: String
    /// Reads that found a fresh value.
    public var hits: UInt64 = 0
    /// Reads that found none.
    public var misses: UInt64 = 0
    /// Reads that failed.
    public var readFailures: UInt64 = 0
    /// Writes that failed.
    public var writeFailures: UInt64 = 0
    /// Records that were damaged.
    public var damaged: UInt64 = 0
    /// Records that could not be decoded.
    public var decodeFailures: UInt64 = 0
    /// Reads that found a record of the type as it was before its structure changed.
    public var schemaChanges: UInt64 = 0

    init(name: String) { self.name = name }
  }

  /// The tiers in the order in which they are asked.
  public var tiers: [Tier] = []

  /// Lookups answered from memory or a store.
  public var hits: UInt64 = 0
  /// Lookups that ran a producer, or found nothing.
  public var misses: UInt64 = 0
  /// Lookups that joined another caller's load.
  public var coalesced: UInt64 = 0
  /// Lookups answered with an expired value instead of a load.
  public var staleServed: UInt64 = 0
  /// Of the misses and coalesced lookups, those that got an expired value after all, because the
  /// load failed or took longer than `softTimeout` or `hardTimeout`.
  public var staleFallbacks: UInt64 = 0
  /// Producer runs that ended with a value.
  public var loads: UInt64 = 0
  /// Producer runs that ended with an error.
  public var loadFailures: UInt64 = 0
  /// The time that producers took, all together.
  public var loadTime: Duration = .zero
  /// Loads that began in the background: of stale values, ahead of time, behind an answer.
  public var refreshes: UInt64 = 0
  /// Of these, the ones that ended without a value.
  public var refreshFailures: UInt64 = 0
  /// Loads that took longer than `abandonAfter` and were given up; they count as failures too.
  public var abandonedLoads: UInt64 = 0
  /// Calls that waited as long as their `hardTimeout` allows, and had no stale value.
  public var timeouts: UInt64 = 0
  /// Failed loads after which a producer rests for `retryAfterFailure`.
  public var rests: UInt64 = 0
  /// How often a breaker opened, since its source failed several times in a row.
  public var breakerOpenings: UInt64 = 0
  /// Loads that an open breaker held back: their callers got a stale value or an error at once.
  public var heldBackLoads: UInt64 = 0
  /// Values that could not be encoded.
  public var encodeFailures: UInt64 = 0
  /// Values that were too large to be stored in memory.
  public var rejected: UInt64 = 0
  /// Values that left memory, by reason.
  public var removals: [RemovalReason: UInt64] = [:]
  /// Entries in memory now.
  public var entries: Int = 0
  /// Their cost now.
  public var cost: Int = 0
  /// Memory tables in use; limits hold for each.
  public var tables: Int = 0
  /// Loads running now.
  public var flights: Int = 0
  /// Callers that wait for a load now.
  public var waiters: Int = 0
  /// Removals that `onRemoval` was not told of, because it was slow and its queue full.
  public var droppedNotices: UInt64 = 0
  /// Events that no stream took, because its buffer was full.
  public var droppedEvents: UInt64 = 0

  init() {}

  /// All lookups.
  public var lookups: UInt64 { hits &+ misses &+ coalesced &+ staleServed }

  /// Hits by all lookups, from 0 to 1; zero before the first.
  public var hitRatio: Double { lookups == 0 ? 0 : Double(hits) / Double(lookups) }
}
