public import CacheAside

/// A store around another one that notes every operation, in the order in which they began.
///
/// ```swift
/// let store = RecordingStore(memory)
/// // … the code under test …
/// #expect(store.operations.map(\.kind) == [.read, .write])
/// ```
///
/// A store around a `BlockingCacheStore` is one too.
public struct RecordingStore<Base: CacheStore>: CacheStore {
  /// The store that does the work.
  public let base: Base

  /// The recorder that gets the operations; a test can wait on it for their number.
  public let recorder = EventRecorder<StoreOperation>()

  /// Wraps a store.
  ///
  /// - Parameter base: the store that does the work.
  public init(_ base: Base) { self.base = base }

  /// The operations so far.
  public var operations: [StoreOperation] { recorder.events }

  /// The number of operations of one kind so far.
  ///
  /// - Parameter kind: which ones.
  /// - Returns: how many.
  public func count(of kind: StoreOperation.Kind) -> Int {
    recorder.events.count { $0.kind == kind }
  }

  /// The name of the wrapped store.
  public var name: String { base.name }

  /// What the wrapped store does natively.
  public var capabilities: StoreCapabilities { base.capabilities }

  /// Attaches the wrapped store.
  ///
  /// - Parameter context: the clock, and where to report events.
  public func attach(_ context: StoreContext) { base.attach(context) }

  /// Reads one entry.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the entry, or `nil`.
  /// - Throws: the store's error.
  public func entry(for key: CacheKey) async throws -> CacheEntry? {
    recorder.record(StoreOperation(.read, key: key))
    return try await base.entry(for: key)
  }

  /// Writes one entry.
  ///
  /// - Parameters:
  ///   - entry: what to keep.
  ///   - key: the key, in its namespace.
  /// - Throws: the store's error.
  public func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    recorder.record(StoreOperation(.write, key: key))
    try await base.set(entry, for: key)
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

  /// Removes one entry.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Throws: the store's error.
  public func remove(_ key: CacheKey) async throws {
    recorder.record(StoreOperation(.remove, key: key))
    try await base.remove(key)
  }

  /// Removes every entry of a namespace.
  ///
  /// - Parameter namespace: which one; `nil` removes all.
  /// - Throws: the store's error.
  public func removeAll(in namespace: Namespace?) async throws {
    recorder.record(StoreOperation(.removeAll, namespace: namespace))
    try await base.removeAll(in: namespace)
  }

  /// Removes one entry if it is unchanged.
  ///
  /// - Parameters:
  ///   - key: the key, in its namespace.
  ///   - entry: what was read.
  /// - Returns: whether it was removed.
  /// - Throws: the store's error.
  @discardableResult
  public func remove(_ key: CacheKey, ifUnchanged entry: CacheEntry) async throws -> Bool {
    recorder.record(StoreOperation(.removeIfUnchanged, key: key))
    return try await base.remove(key, ifUnchanged: entry)
  }

  /// Removes the entries that are kept no longer.
  ///
  /// - Parameter includingKept: whether those go as well that have expired and are still kept.
  /// - Returns: how many were removed.
  /// - Throws: the store's error.
  @discardableResult
  public func removeExpired(includingKept: Bool) async throws -> Int {
    recorder.record(StoreOperation(.removeExpired))
    return try await base.removeExpired(includingKept: includingKept)
  }

  /// Lists entries.
  ///
  /// - Parameters:
  ///   - namespace: which one; `nil` lists all.
  ///   - visit: called for each; returns whether to go on.
  /// - Throws: the store's error.
  public func scan(
    _ namespace: Namespace?,
    _ visit: (CacheKey, CacheEntry) -> Bool
  ) async throws {
    recorder.record(StoreOperation(.scan, namespace: namespace))
    try await base.scan(namespace, visit)
  }

  /// Makes a selection of records absent, or expired.
  ///
  /// - Parameter invalidation: which records, and what becomes of them.
  /// - Throws: the store's error.
  public func invalidate(_ invalidation: StoreInvalidation) async throws {
    recorder.record(StoreOperation(.invalidate, namespace: invalidation.namespace))
    try await base.invalidate(invalidation)
  }

  /// How much the wrapped store holds.
  ///
  /// - Returns: entries and bytes.
  /// - Throws: the store's error.
  public func usage() async throws -> StoreUsage {
    recorder.record(StoreOperation(.usage))
    return try await base.usage()
  }

  /// Flushes the wrapped store.
  ///
  /// - Throws: the store's error.
  public func flush() async throws {
    recorder.record(StoreOperation(.flush))
    try await base.flush()
  }

  /// Closes the wrapped store.
  public func close() async {
    recorder.record(StoreOperation(.close))
    await base.close()
  }
}
