public import CacheAside
import Dispatch
import Synchronization

/// Where calls run that may be held at a gate.
private let heldCalls = DispatchQueue(
  label: "CacheAsideTesting.FaultInjectingStore",
  attributes: .concurrent
)

extension FaultInjectingStore: BlockingCacheStore where Base: BlockingCacheStore {
  /// Reads one entry on the calling thread, unless a fault prevents it.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the entry, or `nil`.
  /// - Throws: the injected error, or the store's.
  public func entryBlocking(for key: CacheKey) throws -> CacheEntry? {
    try performBlocking(.read, lost: nil) { fate in
      try base.entryBlocking(for: key).map(fate.distort)
    }
  }

  /// Writes one entry on the calling thread, unless a fault prevents it.
  ///
  /// - Parameters:
  ///   - entry: what to keep.
  ///   - key: the key, in its namespace.
  /// - Throws: the injected error, or the store's.
  public func setBlocking(_ entry: CacheEntry, for key: CacheKey) throws {
    try performBlocking(.write, lost: ()) { fate in
      try base.setBlocking(fate.distort(entry), for: key)
    }
  }

  /// Removes one entry on the calling thread, unless a fault prevents it.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Throws: the injected error, or the store's.
  public func removeBlocking(_ key: CacheKey) throws {
    try performBlocking(.remove, lost: ()) { _ in try base.removeBlocking(key) }
  }

  /// Removes every entry of a namespace on the calling thread, unless a fault prevents it.
  ///
  /// - Parameter namespace: which one; `nil` removes all.
  /// - Throws: the injected error, or the store's.
  public func removeAllBlocking(in namespace: Namespace?) throws {
    try performBlocking(.removeAll, lost: ()) { _ in try base.removeAllBlocking(in: namespace) }
  }

  /// Removes one entry on the calling thread if it is unchanged, unless a fault prevents it.
  ///
  /// - Parameters:
  ///   - key: the key, in its namespace.
  ///   - entry: what was read.
  /// - Returns: whether it was removed; a lost removal says that it was.
  /// - Throws: the injected error, or the store's.
  @discardableResult
  public func removeBlocking(_ key: CacheKey, ifUnchanged entry: CacheEntry) throws -> Bool {
    try performBlocking(.removeIfUnchanged, lost: true) { _ in
      try base.removeBlocking(key, ifUnchanged: entry)
    }
  }

  /// Removes the entries that are kept no longer, unless a fault prevents it.
  ///
  /// - Parameter includingKept: whether those go as well that have expired and are still kept.
  /// - Returns: how many were removed.
  /// - Throws: the injected error, or the store's.
  @discardableResult
  public func removeExpiredBlocking(includingKept: Bool) throws -> Int {
    try performBlocking(.removeExpired, lost: 0) { _ in
      try base.removeExpiredBlocking(includingKept: includingKept)
    }
  }

  /// Lists entries on the calling thread, unless a fault prevents it.
  ///
  /// - Parameters:
  ///   - namespace: which one; `nil` lists all.
  ///   - visit: called for each; returns whether to go on.
  /// - Throws: the injected error, or the store's.
  public func scanBlocking(
    _ namespace: Namespace?,
    _ visit: (CacheKey, CacheEntry) -> Bool
  ) throws {
    try performBlocking(.scan, lost: ()) { fate in
      try base.scanBlocking(namespace) { visit($0, fate.distort($1)) }
    }
  }

  /// Makes a selection of records absent, or expired on the calling thread, unless a fault prevents it.
  ///
  /// - Parameter invalidation: which records, and what becomes of them.
  /// - Throws: the injected error, or the store's.
  public func invalidateBlocking(_ invalidation: StoreInvalidation) throws {
    try performBlocking(.invalidate, lost: ()) { _ in try base.invalidateBlocking(invalidation) }
  }

  /// Runs a piece of blocking work on one of the wrapped store's threads.
  ///
  /// While there are gates, it runs on a thread of its own: the wrapped store may have none, and what is
  /// held at a gate would then hold the one that opens it.
  ///
  /// - Parameter work: what to run; faults apply to the requirements it calls on this store.
  /// - Returns: what the work returned.
  /// - Throws: what the work threw.
  public func onStoreThread<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    guard plan.holdsCalls else { return try await base.onStoreThread(work) }
    // Without a cache nobody but the test knows of the work.
    let clock = plan.clock.withLock { $0 }
    return try await withCheckedThrowingContinuation { continuation in
      let start = { @Sendable in
        let token = clock?.beginWork("FaultInjectingStore \(name)")
        heldCalls.async {
          continuation.resume(with: Swift.Result { try work() })
          if let token { clock?.endWork(token) }
        }
      }
      guard let executor = clock?.taskExecutor else { return start() }
      // In a turn of the clock's executor, which comes when the caller has suspended.
      Task(executorPreference: executor) { start() }
    }
  }

  private func performBlocking<Result>(
    _ kind: StoreOperation.Kind,
    lost: Result,
    _ body: (FaultPlan.Fate) throws -> Result
  ) throws -> Result {
    let fate = plan.fate(of: kind)
    for gate in fate.gates { gate.waitBlocking(clock: clock) }
    if let failure = fate.failure { throw failure }
    let result = fate.isLost ? lost : try body(fate)
    if let failure = fate.lateFailure { throw failure }
    return result
  }
}
