/// Where encoded entries live: the extension point for backends.
///
/// A store keeps what it is given and gives it back unchanged, or reports a miss. It decides
/// nothing about freshness: the cache does, from the times in the entry. Reads return `nil` for
/// what is absent or damaged and throw for what could not be read; the cache turns both into a
/// miss and reports the second as an event. A write or removal that returns has reached the kernel
/// or the server. All requirements may be called concurrently.
///
/// Prove a store of your own with `CacheStoreConformance` of CacheAsideTesting.
public protocol CacheStore: Sendable {
  /// A short name for outcomes, events and statistics, such as `disk`.
  var name: String { get }

  /// What the store does natively.
  var capabilities: StoreCapabilities { get }

  /// Tells the store who uses it; called once by every feature before its first use.
  ///
  /// - Parameter context: the clock, and where to report events.
  func attach(_ context: StoreContext)

  /// Reads one entry, of any age.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the entry, or `nil` when it is absent, damaged or of another key.
  /// - Throws: when the store could not be read; nothing is deleted then.
  func entry(for key: CacheKey) async throws -> CacheEntry?

  /// Reads several entries, of any age, in one go where the backend can.
  ///
  /// - Parameter keys: the keys, in their namespaces, each once.
  /// - Returns: the entries that are there; what is absent, damaged or of another key is left out.
  /// - Throws: when some could not be read; nothing is deleted then.
  func entries(for keys: [CacheKey]) async throws -> [CacheKey: CacheEntry]

  /// Writes one entry over any older one.
  ///
  /// - Parameters:
  ///   - entry: what to keep.
  ///   - key: the key, in its namespace.
  /// - Throws: when it could not be written; the older one must not be read back after that
  ///   unless the error says that it could not be removed either.
  func set(_ entry: CacheEntry, for key: CacheKey) async throws

  /// Writes several entries over any older ones, in one go where the backend can.
  ///
  /// It need not be one transaction: readers may see some of them before the others.
  ///
  /// - Parameter entries: the keys, in their namespaces, each once, with what to keep.
  /// - Throws: when some could not be written, after all were tried; the cache then takes none of
  ///   them for written.
  func set(_ entries: [(key: CacheKey, entry: CacheEntry)]) async throws

  /// Removes one entry, if it is there.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Throws: when the entry may still be there.
  func remove(_ key: CacheKey) async throws

  /// Removes every entry of a namespace and of those that it covers: all scopes that contain its own.
  ///
  /// - Parameter namespace: which one; `nil` removes all.
  /// - Throws: when some may still be there.
  func removeAll(in namespace: Namespace?) async throws

  /// Removes one entry if it is still the one that was read.
  ///
  /// - Parameters:
  ///   - key: the key, in its namespace.
  ///   - entry: what was read.
  /// - Returns: whether it was removed.
  /// - Throws: when the store failed.
  @discardableResult
  func remove(_ key: CacheKey, ifUnchanged entry: CacheEntry) async throws -> Bool

  /// Removes the entries that are kept no longer.
  ///
  /// - Parameter includingKept: whether those go as well that have expired and are still kept.
  /// - Returns: how many were removed.
  /// - Throws: when the store failed.
  @discardableResult
  func removeExpired(includingKept: Bool) async throws -> Int

  /// Where the store's own invalidations stood when it last looked; `nil`, the default, for a store
  /// that does not order them with the loads of several processes.
  ///
  /// The cache asks for it after its read and before the producer runs, and writes it with the
  /// entry. It must not block.
  var loadMark: LoadMark? { get }

  /// Looks at the store's invalidations again, and says what others have invalidated.
  ///
  /// - Parameter mark: where they stood; `nil` asks for the new mark only.
  /// - Returns: the new mark, and what was invalidated since by others than this store.
  /// - Throws: when the store failed.
  func changes(since mark: LoadMark?) async throws -> StoreChanges

  /// Says by which of the store's own invalidations a record that is there is not given by reads, or
  /// is given as expired; `nil`, the default, when there is none.
  ///
  /// Asked for explanations only. It changes nothing.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the invalidation that reaches the record.
  /// - Throws: when the store failed.
  func invalidation(of key: CacheKey) async throws -> StoreInvalidation?

  /// Lists the entries of a namespace and of those that it covers, of any age, in no particular order.
  ///
  /// - Parameters:
  ///   - namespace: which one; `nil` lists all.
  ///   - visit: called for each; returns whether to go on.
  /// - Throws: when the store failed.
  func scan(
    _ namespace: Namespace?,
    _ visit: (CacheKey, CacheEntry) -> Bool
  ) async throws

  /// Makes a selection of records absent, or expired.
  ///
  /// When it returns, nothing selected that was written before it began is fresh; a record that was
  /// written after it began is not touched by one that removes.
  ///
  /// - Parameter invalidation: which records, and what becomes of them.
  /// - Throws: when some of them may still be fresh; `CacheError` with the code `unsupported` when
  ///   the store can neither do this by itself nor list its entries.
  func invalidate(_ invalidation: StoreInvalidation) async throws

  /// How much the store holds.
  ///
  /// - Returns: entries and bytes.
  /// - Throws: when the store failed.
  func usage() async throws -> StoreUsage

  /// Waits until everything that was written behind has reached the backend, and everything that was
  /// removed only logically is erased there.
  ///
  /// - Throws: when something could not be written or erased.
  func flush() async throws

  /// Stops background work and releases what the store holds.
  func close() async
}
