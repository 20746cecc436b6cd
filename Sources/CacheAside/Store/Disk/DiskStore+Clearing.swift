import Synchronization

// Removing what is out by the ledger, or expired by it, from a shard: its heads are read once after the ledger
// has changed. Called by the sweep, by `removeExpired`, and behind a removal of everything.
extension DiskStore {
  /// Removes what is out from all shards, in the background: one round at a time, and one more for all
  /// that was asked for during it.
  func clearBehind() {
    guard clearingAsked.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
    time.startTask(priority: .utility, inheritsContext: false) { [weak self] in
      var seen = 0
      repeat {
        guard let asked = self?.clearingAsked.load(ordering: .acquiring) else { return }
        seen = asked
        for shard in 0..<DiskLayout.shardCount {
          guard let self, self.background.begin() else { return }
          defer { self.background.end() }
          do {
            try await self.onStoreThread { [self] in _ = try self.clear(shard) }
          } catch {
            self.report(.removalFailed, nil, error)
          }
        }
      } while self?.isCleared(asked: seen) == false
    }
  }

  /// Ends the clearing, unless more was asked for.
  private func isCleared(asked seen: Int) -> Bool {
    clearingAsked.compareExchange(expected: seen, desired: 0, ordering: .acquiringAndReleasing)
      .exchanged
  }

  /// Removes what is out from a shard, unless that was done since the ledger last changed.
  ///
  /// - Returns: how many were removed.
  func clear(_ shard: Int) throws(FileSystemError) -> Int { try clear(shard, ledgerView()) }

  /// The same by a ledger that was looked at before.
  func clear(_ shard: Int, _ view: DiskLedgerView) throws(FileSystemError) -> Int {
    guard case .ledger(let book) = view else { return 0 }
    let mark = book.mark
    if sweptMarks[shard].value.withLock({ $0 == mark }) { return 0 }
    var removed = 0
    for name in try recordNames(in: shard)
    where try clear(layout.place(named: name, in: shard), book) {
      removed += 1
    }
    sweptMarks[shard].value.withLock { $0 = mark }
    return removed
  }

  private func clear(
    _ place: DiskLayout.Place,
    _ book: DiskLedgerBook
  ) throws(FileSystemError) -> Bool {
    var isRemoved = false
    try withHead(place) { place, status, head throws(FileSystemError) in
      let namespace = CacheKey(bytes: head.key)?.namespace
      if let kept = readable(head.entry, namespace, status, .ledger(book)) {
        // What was expired goes when the sweep finds that its time is over.
        if kept.keptUntil != head.header.keptUntil { note(kept, status, at: place, time.wall) }
      } else {
        isRemoved = try takeOut(place, status, settingAside: false)
      }
    }
    return isRemoved
  }

  /// A record as it is read now: as ledger and idleness leave it, without its mark; `nil` when it is
  /// out.
  func readable(
    _ entry: CacheEntry,
    _ namespace: Namespace?,
    _ status: FileStatus,
    _ view: DiskLedgerView
  ) -> CacheEntry? {
    var judged: CacheEntry? = entry
    switch view {
    case .distrusted: return nil
    case .none: if isForeign(entry) { return nil }
    case .ledger(let book): judged = book.read { $0.judged(entry, in: namespace) }
    }
    judged?.metadata.loadMark = nil
    judged?.endIdle(lastUse: status.accessed, now: time.wall)
    return judged
  }

  /// Whether an entry came of a load under a ledger, although there is none.
  func isForeign(_ entry: CacheEntry) -> Bool {
    entry.metadata.loadMark.map { $0.epoch != 0 } ?? false
  }
}

extension Envelope.Head {
  /// The entry without its value.
  var entry: CacheEntry {
    CacheEntry(
      payload: nil,
      codec: CodecIdentifier(rawValue: header.codec),
      type: header.type,
      schema: header.schema,
      created: header.created,
      freshUntil: header.freshUntil,
      keptUntil: header.keptUntil,
      isExpiredByHand: header.flags & EnvelopeHeader.expiredByHand != 0,
      metadata: metadata
    )
  }
}
