// Invalidating by tag, by namespace and as a whole: a stamp in the ledger, whatever it reaches. What
// is out leaves when it is read (DiskStore+Reading), or with the sweep of its shard; after a removal
// of everything at once, behind the call.
extension DiskStore {
  /// Makes a selection of records absent, or expired, on the calling thread.
  ///
  /// It stamps the folder's ledger, which the first call makes: other processes read it before
  /// their next read.
  ///
  /// - Parameter invalidation: which records, and what becomes of them.
  /// - Throws: `CacheError` with the code `removalFailed` when it could not be written; until it can,
  ///   this store reads nothing.
  /// - Complexity: about ten file calls, however many records there are.
  public func invalidateBlocking(_ invalidation: StoreInvalidation) throws {
    noteUse()
    let stamps = DiskLedger.Stamp.stamps(of: invalidation)
    if stamps.isEmpty { return }
    defer { if invalidation.verb == .remove { noteRemoval(byStamp: true) } }
    do throws(FileSystemError) {
      if ledgers.isNew { _ = try ledgerView() }
      try stamp(stamps)
    } catch {
      throw CacheError(
        .removalFailed,
        "the disk store could not note an invalidation; until it can, nothing is read from it",
        cause: error
      )
    }
    if invalidation.selection == .everything { clearBehind() }
  }

  /// Where the invalidations stood when the store last looked, which it does before every read.
  public var loadMark: LoadMark? { ledgers.mark }

  /// What other processes have invalidated, after another look at the ledger.
  ///
  /// - Parameter mark: where the invalidations stood; `nil` asks for the new mark only.
  /// - Returns: what was invalidated since by others than this store.
  /// - Throws: `CacheError` with the code `storeFailed` when the ledger could not be read.
  public func changes(since mark: LoadMark?) async throws -> StoreChanges {
    try await onStoreThread { [self] in
      do throws(FileSystemError) { return try changesBlocking(since: mark) } catch {
        throw CacheError(.storeFailed, "the disk store's ledger could not be read", cause: error)
      }
    }
  }

  private func changesBlocking(since mark: LoadMark?) throws(FileSystemError) -> StoreChanges {
    do throws(FileSystemError) { try writeStamps() } catch {
      report(.writeFailed, nil, error)
    }
    switch try ledgerView() {
    case .distrusted:
      return StoreChanges(mark: mark)
    case .none:
      return StoreChanges(mark: LoadMark.none, isEverything: mark.map { $0.epoch != 0 } ?? false)
    case .ledger(let book):
      // Whoever asked before the first look has read nothing that is older than that.
      let known = mark == LoadMark.none ? ledgers.firstMark : mark ?? book.mark
      return book.read { changes(since: known, in: $0) }
    }
  }

  private func changes(since mark: LoadMark, in ledger: DiskLedger) -> StoreChanges {
    var changes = StoreChanges(mark: ledger.mark)
    guard mark != ledger.mark else { return changes }
    let goesOn = mark.epoch == ledger.epoch || (mark.epoch == 0 && ledger.admitsUnmarked)
    let since = mark.epoch == ledger.epoch ? mark.sequence : 0
    if !goesOn, !ledgers.isOwn(epoch: ledger.epoch) { changes.isEverything = true }
    // What is known by number only, or not at all, cannot be named.
    guard let stamps = ledger.stamps(since: since) else {
      changes.isEverything = true
      return changes
    }
    for stamp in stamps where !ledgers.isOwn(stamp) {
      guard let invalidation = stamp.invalidation else {
        changes.isEverything = true
        continue
      }
      changes.invalidations.append(invalidation)
    }
    return changes
  }
}
