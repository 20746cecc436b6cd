// Erasing what was removed: a removal by scope or tag only stamps the ledger, after which nothing of it
// is read, and leaves the bytes in their files. Every removal notes that something is left to erase;
// `flush`, `close` and `removeAll(keepingDirectory:)` erase it.
//
// What: the folder is walked once after the last of these removals, whatever they named, and every
// record that is out by the ledger is unlinked; then what is left in `tmp`, by a process that has died
// or by an unlink that failed, and what a permanent store has set aside. A file of another process that is
// being written there goes, too: its writer finds it gone and writes it again. Ledgers and indexes
// hold neither keys nor values. Without such a removal nothing is looked at. Other processes may be
// about to write a record that is out; it is removed when it is read or swept.
import Synchronization

extension DiskStore {
  /// Erases what was removed by scope, by tag or as a whole, on a thread of the store.
  ///
  /// Nothing removed is read in any case; when this returns, its bytes cannot be reached through
  /// the file system any more.
  ///
  /// - Throws: `CacheError` with the code `removalFailed` when something could not be erased.
  /// - Complexity: O(records of the folder) after a removal by scope or tag, else O(1).
  public func flush() async throws {
    guard stampedDebt.isOwed || temporaryDebt.isOwed else { return }
    try await onStoreThread { [self] in
      do throws(FileSystemError) { try erase() } catch {
        throw CacheError(
          .removalFailed,
          "the disk store could not erase all that was removed; nothing of it is read",
          cause: error
        )
      }
    }
  }

  /// Ends the background work, also what of it is running, and erases what was removed; entries stay,
  /// and the store can still be used.
  ///
  /// What cannot be erased is reported; ``flush()`` before it throws.
  public func close() async {
    sweeper.stop()
    _ = await background.finish(time)
    do { try await flush() } catch { report(.removalFailed, nil, error) }
  }

  /// Notes that something was removed; by a stamp, if its files are still there.
  ///
  /// Called once it is: an erasure that began before does not count for it.
  func noteRemoval(byStamp: Bool = false) {
    temporaryDebt.note()
    if byStamp { stampedDebt.note() }
  }

  /// Notes a temporary file of this store that could not be unlinked.
  func noteLeftover(_ path: String) {
    leftovers.withLock { $0.append(path) }
    noteRemoval()
  }

  /// Unlinks every file that holds something removed, and tells the first failure at the end.
  func erase() throws(FileSystemError) {
    let (stamped, temporary) = (stampedDebt.target, temporaryDebt.target)
    // What could not be stamped is not known to be out.
    try writeStamps()
    let view = try ledgerView()
    if case .distrusted = view { throw FileSystemError(.unlink, code: FileSystemError.tryAgain) }
    var failure: FileSystemError?
    func attempt(_ body: () throws(FileSystemError) -> Void) {
      do throws(FileSystemError) { try body() } catch { failure = failure ?? error }
    }
    if stampedDebt.isOwed {
      attempt { () throws(FileSystemError) in
        for shard in try existingShards() {
          attempt { () throws(FileSystemError) in _ = try clear(shard, view) }
        }
      }
      attempt { () throws(FileSystemError) in
        for name in try names(in: layout.asideFolder) {
          let path = layout.asideFolder + "/" + name
          let place = DiskLayout.Place(shard: 0, name: name, path: path)
          attempt { () throws(FileSystemError) in
            if try isOut(place, view) == true { _ = try unlinkIfPresent(path) }
          }
        }
      }
    }
    attempt { () throws(FileSystemError) in
      for name in try names(in: layout.temporaryFolder) {
        attempt { () throws(FileSystemError) in try eraseTemporary(name, view) }
      }
    }
    if let failure { throw failure }
    stampedDebt.settle(stamped)
    temporaryDebt.settle(temporary)
  }

  private func eraseTemporary(
    _ name: String,
    _ view: DiskLedgerView
  ) throws(FileSystemError) {
    let path = layout.temporaryFolder + "/" + name
    if path == layout.takenLedgerPath { return }
    if let place = layout.place(inTransit: name) {
      // Its judge puts back what it took by mistake.
      let taken = DiskLayout.Place(shard: place.shard, name: place.name, path: path)
      if try isOut(taken, view) == true { try removeCounted(place) }
      return
    }
    if name.hasPrefix(DiskLayout.writerPrefix) {
      // Another thread may be writing it; one that could not be unlinked is nobody's.
      guard leftovers.withLock({ $0.contains(path) }) else { return }
      _ = try unlinkIfPresent(path)
      leftovers.withLock { $0.removeAll { $0 == path } }
      return
    }
    guard try holdsRecord(path) else { return }
    _ = try unlinkIfPresent(path)
  }

  /// Whether a record is out by the ledger; `nil` when there is none, or it cannot be read.
  private func isOut(
    _ place: DiskLayout.Place,
    _ view: DiskLedgerView
  ) throws(FileSystemError) -> Bool? {
    let isOut = try withRecord(place, nil) { descriptor, status throws(FileSystemError) -> Bool? in
      guard case .success(let head) = try head(descriptor, status) else { return nil }
      return readable(head.entry, CacheKey(bytes: head.key)?.namespace, status, view) == nil
    }
    return isOut ?? nil
  }

  /// Whether a temporary file may hold a key or a value: it is neither empty nor a ledger or index.
  private func holdsRecord(_ path: String) throws(FileSystemError) -> Bool {
    let place = DiskLayout.Place(shard: 0, name: "", path: path)
    let start = try withRecord(place, nil) { descriptor, status throws(FileSystemError) in
      try files.read(descriptor, at: 0, count: min(4, status.size))
    }
    guard let start, !start.isEmpty else { return false }
    let magic = EnvelopeHeader.magic
    return start.count < 4 || start[..<3] != magic[..<3] || start[3] == magic[3]
  }
}
