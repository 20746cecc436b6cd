public import CacheAside
public import Testing

/// The conformance kit: proves that a store keeps the contract of `CacheStore`.
///
/// Hand it a closure that makes an empty store, and run each check as a test case:
///
/// ```swift
/// @Test(arguments: CacheStoreConformance<MyStore>.Check.allCases)
/// func `keeps the store contract`(check: CacheStoreConformance<MyStore>.Check) async throws {
///   try await CacheStoreConformance { try MyStore() }.run(check)
/// }
/// ```
///
/// A persistent store is opened again in some checks, and leaves something to clean up:
///
/// ```swift
/// CacheStoreConformance {
///   try MyStore(directory: newTemporaryDirectory())
/// } reopen: { store in
///   try MyStore(directory: store.directory)
/// } cleanUp: { store in
///   try delete(store.directory)
/// }
/// ```
///
/// Every check makes a store of its own, attaches it to the kit's clock, and closes it at the end.
/// A store with limits must hold at least 1,000 entries and 16 MiB in these tests. Checks that do
/// not apply pass: listing without the capability `.scan`, reopening without `.persistent` or
/// without a `reopen` closure, the blocking checks for a store that is no `BlockingCacheStore`.
public struct CacheStoreConformance<Store: CacheStore>: Sendable {
  let clock: ManualClock
  let expiresByItself: Bool
  let reopen: (@Sendable (Store) async throws -> Store)?
  let cleanUp: (@Sendable (Store) async throws -> Void)?
  let makeStore: @Sendable () async throws -> Store

  /// Makes the kit for a store.
  ///
  /// - Parameters:
  ///   - clock: the clock that the stores are attached to, and that the checks move.
  ///   - expiresByItself: whether the backend drops entries by a clock of its own, so that moving
  ///     the kit's clock and `removeExpired` cannot make it; survivors are checked all the same.
  ///   - makeStore: makes an empty store on a place of its own, at each call another.
  ///   - reopen: makes another store on the same place as its argument, as a restart of the
  ///     process would; the argument may be closed, or still in use.
  ///   - cleanUp: deletes what a closed store leaves behind, a directory for example.
  public init(
    clock: ManualClock = ManualClock(),
    expiresByItself: Bool = false,
    makeStore: @escaping @Sendable () async throws -> Store,
    reopen: (@Sendable (Store) async throws -> Store)? = nil,
    cleanUp: (@Sendable (Store) async throws -> Void)? = nil
  ) {
    self.clock = clock
    self.expiresByItself = expiresByItself
    self.reopen = reopen
    self.cleanUp = cleanUp
    self.makeStore = makeStore
  }

  /// Runs one check on a new store; what it finds is recorded as an issue of the running test.
  ///
  /// - Parameters:
  ///   - check: what to prove.
  ///   - sourceLocation: where the issues are shown; the caller's line unless given.
  /// - Throws: what the store or one of the closures throws; that is a failure too, since the
  ///   checks meet no fault for which a store may throw.
  public func run(
    _ check: Check,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let store = try await makeStore()
    let trial = Trial(kit: self, store: store, check: check, sourceLocation: sourceLocation)
    // Each feature that uses a store attaches it, so a store must bear more than one.
    trial.attach(store)
    trial.attach(store)
    let result: Result<Void, any Error>
    do {
      result = .success(try await trial.perform())
    } catch {
      result = .failure(error)
    }
    await store.close()
    try await cleanUp?(store)
    trial.expectNoDamage()
    try result.get()
  }
}
