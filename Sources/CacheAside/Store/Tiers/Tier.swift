import Synchronization

/// A store at its place in a chain: with its gate, tombstones, fault policy and counters.
///
/// Nothing here throws because of the store, except under ``TierFaultPolicy/fail`` and for
/// removals, whose failure the caller must know.
final class Tier: Sendable {
  let store: any CacheStore
  /// The same store, if its work can be done on the calling thread.
  let blocking: (any BlockingCacheStore)?
  let faultPolicy: TierFaultPolicy
  /// The longest life an entry has here, in nanoseconds.
  let lifetimeCap: Int64
  let gate = BlockingGate()
  let asyncGate = AsyncGate()
  let tombstones = Tombstones()
  let counters = TierCounters()
  let queue = TierQueue()
  /// What has begun and not ended.
  let operations: TierOperations
  let deadlines: TierDeadlines
  let repetition = TierRepetition()
  private let context: TierContext
  /// The newest moment at which a record written here was created.
  private let newestWrite = Atomic<Int64>(.min)

  var name: String { store.name }

  init(
    _ store: any CacheStore,
    faultPolicy: TierFaultPolicy = .miss,
    lifetimeCap: Window? = nil,
    readDeadline: Window? = nil,
    writeDeadline: Window? = nil,
    context: TierContext
  ) {
    self.store = store
    self.blocking = store as? any BlockingCacheStore
    self.faultPolicy = faultPolicy
    self.lifetimeCap = lifetimeCap?.nanoseconds ?? .max
    self.context = context
    deadlines = TierDeadlines(
      read: readDeadline,
      write: writeDeadline,
      blocks: store is any BlockingCacheStore
    )
    operations = TierOperations(store: store.name, time: context.time)
    let counters = counters
    store.attach(
      StoreContext(time: context.time) { [name = store.name] kind, key, error in
        if kind == .recordDamaged { counters.damaged.add() }
        if kind == .rejected, faultPolicy == .fail, let key { RejectedWrites.note(key) }
        HeldReports.report { context.report(kind, name, key, error) }
      }
    )
  }

  var time: TimeSource { context.time }

  /// Refuses new operations and waits until those that have begun, queued ones too, have ended.
  ///
  /// - Parameter limit: after how many nanoseconds of the feature's clock they are given up, which
  ///   cancels calls of a store that suspends; `nil` for never.
  /// - Returns: descriptions of what had not ended by then.
  func finish(within limit: Int64?) async -> [String] { await operations.finish(within: limit) }

  /// Waits for what was queued, and lets the store erase and write what it kept back.
  func flush() async throws {
    let operation = try operations.begin(.upkeep)
    defer { operations.end(operation) }
    await queue.drain()
    try await store.flush()
  }

  /// Descriptions of the operations that have begun and not ended.
  var unfinished: [String] { operations.unfinished }

  /// Queues work for a store that suspends; it has begun now, and its time counts from its turn on.
  ///
  /// - Throws: when it is refused, as ``TierOperations/begin(_:_:count:within:)`` does, and not done.
  func queueWork(
    _ kind: TierOperation.Kind,
    _ key: CacheKey? = nil,
    _ work: @escaping @Sendable (TierOperation) async -> Void
  ) throws {
    let operation = try operations.begin(kind, key)
    queue.add(time) { [operations, deadlines] in
      if let limit = deadlines.limit(kind, count: 1) { operations.setLimit(limit, of: operation) }
      if operation.failure == nil { await work(operation) }
      operations.end(operation)
    }
  }

  /// Nothing that is in the store was created later, as far as this process knows.
  var newestWall: Int64 { max(time.wall, newestWrite.load(ordering: .relaxed)) }

  /// Notes when a record that is being written was created: the wall clock may be set back.
  ///
  /// One from the future is served as expired at most, and says nothing about our clock.
  func noteWrite(created: Int64) {
    guard !Lifetime.isFromTheFuture(created: created, wall: time.wall) else { return }
    newestWrite.max(created, ordering: .relaxed)
  }

  /// Reports an event of this tier.
  func report(_ kind: CacheEvent.Kind, _ key: CacheKey?, _ error: (any Error)?) {
    HeldReports.report { [context, name] in context.report(kind, name, key, error) }
  }

  /// Counts and reports a failed read.
  func readFailed(_ key: CacheKey, _ error: any Error) throws {
    counters.readFailures.add()
    report(.readFailed, key, error)
    if faultPolicy == .fail {
      throw CacheError(
        .storeFailed,
        "the store \"\(name)\" could not be read and its fault policy is .fail",
        key: key,
        cause: error
      )
    }
  }

  /// Fails the call that found a record which cannot be decoded, under ``TierFaultPolicy/fail``; it was
  /// counted and reported.
  func refuseUndecodable(_ key: CacheKey, _ error: any Error) throws {
    guard faultPolicy == .fail else { return }
    throw CacheError(
      .storeFailed,
      "a record of the store \"\(name)\" cannot be decoded and its fault policy is .fail",
      key: key,
      cause: error
    )
  }

  /// Why a write has failed under ``TierFaultPolicy/fail`` whose value the store rejected as too large.
  func rejection(_ rejected: RejectedWrites?, _ key: CacheKey) -> CacheError? {
    guard rejected?.contains(key) == true else { return nil }
    return CacheError(
      .storeFailed,
      "the value is larger than the store \"\(name)\" allows",
      key: key
    )
  }

  /// The error of a failed write; `nil` unless the fault policy lets it fail the call.
  func writeFailure(_ key: CacheKey, _ error: any Error) -> CacheError? {
    guard faultPolicy == .fail else { return nil }
    return CacheError(
      .storeFailed,
      "the store \"\(name)\" could not be written and its fault policy is .fail",
      key: key,
      cause: error
    )
  }

  /// The error for a removal that failed; the entry is not served from here any more.
  func removalFailure(_ key: CacheKey?, _ error: any Error) -> CacheError {
    if let error = error as? CacheError, error.code == .closed { return error }
    return CacheError(
      .removalFailed,
      "the store \"\(name)\" may still hold the entry; it is not served from there any more",
      key: key,
      cause: error
    )
  }
}
