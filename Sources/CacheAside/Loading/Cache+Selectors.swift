extension Cache {
  /// Removes what is selected from every tier, whatever the type of its value.
  ///
  /// What began before, loads that are going on among it, is not stored; those who wait for such a
  /// load get its value, later callers start a new one.
  ///
  /// - Parameters:
  ///   - selector: which entries.
  ///   - erasing: whether to wait until their bytes are gone from every store, as a logout needs it;
  ///     without it a store on files may erase them later, by `flush()` and `close(within:)` at the latest.
  /// - Throws: `CacheError` with the code `removalFailed` when a tier may still hold some; they are not
  ///   served from there any more. With the code `unsupported`, before anything is removed, when a
  ///   store can neither select by itself nor list its entries; with the code `missingScope`, when
  ///   keys are named without the scope that the feature requires; with the code `closed` once
  ///   ``close(within:)`` has begun, or when it could not wait for this.
  /// - Complexity: in memory O(1) for a tag or a scope, O(n) for a condition; in a store that does not
  ///   invalidate by itself, O(n); erasing on disk reads the heads of all records of its folder.
  public nonisolated(nonsending) func remove(
    _ selector: CacheSelector,
    erasing: Bool = false
  ) async throws {
    try await core.invalidate(selector, nil, erasing: erasing)
  }

  /// Makes what is selected expired from now on: the next read loads, in the foreground.
  ///
  /// The old values are served only when that load fails, for at most `staleIfError` from now, and are
  /// never kept longer than they were.
  ///
  /// - Parameter selector: which entries.
  /// - Throws: as `remove(_:)`.
  public nonisolated(nonsending) func expire(_ selector: CacheSelector) async throws {
    try await core.invalidate(selector, core.handExpiry)
  }

  /// Writes to the source, then removes what depends on it.
  ///
  /// Only a write that returns invalidates, and then also the loads that began before its end. When
  /// it throws, nothing is invalidated.
  ///
  /// - Parameters:
  ///   - selector: which entries the write makes wrong.
  ///   - write: changes the source; it may be cancelled, the invalidation after it is done.
  /// - Returns: what the write returned.
  /// - Throws: what the write threw; `CacheError` as `remove(_:)` does. After the code `removalFailed`
  ///   the write has been made, after `unsupported` and `missingScope` it was not
  ///   begun, nor when the cache was closed before.
  public nonisolated(nonsending) func invalidating<Result>(
    _ selector: CacheSelector,
    _ write: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    let core = core
    try core.checkOpen()
    try core.check(selector, removes: true)
    let result = try await write()
    try await core.invalidate(selector, nil)
    return result
  }

  /// Removes what is selected from every tier on the calling thread, which may block on files.
  ///
  /// A store that suspends gets its part in the background; until then nothing selected is read from
  /// it.
  ///
  /// - Parameter selector: which entries.
  /// - Throws: as `remove(_:)`.
  public func removeBlocking(_ selector: CacheSelector) throws {
    try core.removeBlocking(selector)
  }
}
