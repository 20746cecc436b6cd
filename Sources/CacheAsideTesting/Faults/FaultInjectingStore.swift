public import CacheAside
import Synchronization

/// A store around another one that fails, delays, loses or damages chosen operations.
///
/// ```swift
/// let store = FaultInjectingStore(memory)
/// store.inject(.fail(E.boom), on: .read, times: 2)   // the next two reads throw
/// store.inject(.lose, on: .write)                    // every write is acknowledged and lost
/// store.heal()                                       // all is well again
/// ```
///
/// Several faults may meet one operation: gates come first, then a failure, a loss, a damage. A
/// store around a `BlockingCacheStore` is one too; its delays block the calling thread then.
public struct FaultInjectingStore<Base: CacheStore>: CacheStore {
  /// The store that does the work.
  public let base: Base

  let plan = FaultPlan()
  private let ownClock: ManualClock?

  /// The clock that knows of threads which wait at gates.
  var clock: ManualClock? { ownClock ?? plan.clock.withLock { $0 } }

  /// Wraps a store; without faults it only forwards.
  ///
  /// - Parameters:
  ///   - base: the store that does the work.
  ///   - clock: the clock of the test, if there is one: a store thread that is held at a gate
  ///     does not keep it from being quiet then; `nil` takes that of the cache that uses the store.
  public init(_ base: Base, clock: ManualClock? = nil) {
    self.base = base
    ownClock = clock
  }

  /// Adds a fault.
  ///
  /// - Parameters:
  ///   - fault: what goes wrong.
  ///   - kinds: in which operations; the synchronous ones count as their asynchronous twins.
  ///   - times: how many operations meet it; `nil` means all until ``heal()``.
  public func inject(_ fault: StoreFault, on kinds: StoreOperation.Kind..., times: Int? = nil) {
    plan.add(fault, kinds: Set(kinds), times: times)
  }

  /// Removes all faults; those who wait at gates go on waiting.
  public func heal() { plan.removeAll() }

  /// The name of the wrapped store.
  public var name: String { base.name }

  /// What the wrapped store does natively.
  public var capabilities: StoreCapabilities { base.capabilities }

  /// Attaches the wrapped store.
  ///
  /// - Parameter context: the clock, and where to report events.
  public func attach(_ context: StoreContext) {
    plan.clock.withLock { $0 = context.time.provider as? ManualClock }
    base.attach(context)
  }

  /// Reads one entry, unless a fault prevents it.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the entry, or `nil`.
  /// - Throws: the injected error, or the store's.
  public func entry(for key: CacheKey) async throws -> CacheEntry? {
    try await perform(.read, lost: nil) { fate in
      try await base.entry(for: key).map(fate.distort)
    }
  }

  /// Writes one entry, unless a fault prevents it.
  ///
  /// - Parameters:
  ///   - entry: what to keep.
  ///   - key: the key, in its namespace.
  /// - Throws: the injected error, or the store's.
  public func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    try await perform(.write, lost: ()) { fate in
      try await base.set(fate.distort(entry), for: key)
    }
  }

  /// Where the wrapped store's invalidations stood when it last looked.
  public var loadMark: LoadMark? { base.loadMark }

  /// What others have invalidated in the wrapped store.
  ///
  /// - Parameter mark: where the invalidations stood.
  /// - Returns: the new mark, and what was invalidated since.
  /// - Throws: the store's error.
  public func changes(since mark: LoadMark?) async throws -> StoreChanges {
    try await base.changes(since: mark)
  }

  /// Which of the wrapped store's invalidations reaches a record; without faults, and not recorded.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the invalidation, or `nil`.
  /// - Throws: the store's error.
  public func invalidation(of key: CacheKey) async throws -> StoreInvalidation? {
    try await base.invalidation(of: key)
  }

  /// Removes one entry, unless a fault prevents it.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Throws: the injected error, or the store's.
  public func remove(_ key: CacheKey) async throws {
    try await perform(.remove, lost: ()) { _ in try await base.remove(key) }
  }

  /// Removes every entry of a namespace, unless a fault prevents it.
  ///
  /// - Parameter namespace: which one; `nil` removes all.
  /// - Throws: the injected error, or the store's.
  public func removeAll(in namespace: Namespace?) async throws {
    try await perform(.removeAll, lost: ()) { _ in try await base.removeAll(in: namespace) }
  }

  /// Removes one entry if it is unchanged, unless a fault prevents it.
  ///
  /// - Parameters:
  ///   - key: the key, in its namespace.
  ///   - entry: what was read.
  /// - Returns: whether it was removed; a lost removal says that it was.
  /// - Throws: the injected error, or the store's.
  @discardableResult
  public func remove(_ key: CacheKey, ifUnchanged entry: CacheEntry) async throws -> Bool {
    try await perform(.removeIfUnchanged, lost: true) { _ in
      try await base.remove(key, ifUnchanged: entry)
    }
  }

  /// Removes the entries that are kept no longer, unless a fault prevents it.
  ///
  /// - Parameter includingKept: whether those go as well that have expired and are still kept.
  /// - Returns: how many were removed.
  /// - Throws: the injected error, or the store's.
  @discardableResult
  public func removeExpired(includingKept: Bool) async throws -> Int {
    try await perform(.removeExpired, lost: 0) { _ in
      try await base.removeExpired(includingKept: includingKept)
    }
  }

  /// Lists entries, unless a fault prevents it.
  ///
  /// - Parameters:
  ///   - namespace: which one; `nil` lists all.
  ///   - visit: called for each; returns whether to go on.
  /// - Throws: the injected error, or the store's.
  public func scan(
    _ namespace: Namespace?,
    _ visit: (CacheKey, CacheEntry) -> Bool
  ) async throws {
    try await perform(.scan, lost: ()) { fate in
      try await base.scan(namespace) { visit($0, fate.distort($1)) }
    }
  }

  /// Makes a selection of records absent, or expired, unless a fault prevents it.
  ///
  /// - Parameter invalidation: which records, and what becomes of them.
  /// - Throws: the injected error, or the store's.
  public func invalidate(_ invalidation: StoreInvalidation) async throws {
    try await perform(.invalidate, lost: ()) { _ in try await base.invalidate(invalidation) }
  }

  /// How much the wrapped store holds.
  ///
  /// - Returns: entries and bytes; unknown when the call is lost.
  /// - Throws: the injected error, or the store's.
  public func usage() async throws -> StoreUsage {
    try await perform(.usage, lost: StoreUsage(entries: nil, bytes: nil)) { _ in
      try await base.usage()
    }
  }

  /// Flushes the wrapped store, unless a fault prevents it.
  ///
  /// - Throws: the injected error, or the store's.
  public func flush() async throws {
    try await perform(.flush, lost: ()) { _ in try await base.flush() }
  }

  /// Closes the wrapped store; only delays apply, since closing cannot fail.
  public func close() async {
    for gate in plan.fate(of: .close).gates { await gate.waitIgnoringCancellation() }
    await base.close()
  }

  func perform<Result>(
    _ kind: StoreOperation.Kind,
    lost: Result,
    _ body: (FaultPlan.Fate) async throws -> Result
  ) async throws -> Result {
    let fate = plan.fate(of: kind)
    for gate in fate.gates { await gate.waitIgnoringCancellation() }
    if let failure = fate.failure { throw failure }
    let result = fate.isLost ? lost : try await body(fate)
    if let failure = fate.lateFailure { throw failure }
    return result
  }
}
