// By which stamp of the ledger a record is out, or expired, for explanations. Reads only; a record
// that is out stays until a read or the sweep of its shard finds it.

extension DiskStore {
  /// Says which invalidation of the folder's ledger reaches a record, on a thread of the store.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the one that takes it out, or else the last that expired it; everything of the
  ///   namespace for a record from before the ledger was replaced or folded; `nil` when there is no
  ///   record, or nothing reaches it.
  /// - Throws: `CacheError` with the code `storeFailed` when it could not be read.
  public func invalidation(of key: CacheKey) async throws -> StoreInvalidation? {
    try await onStoreThread { [self] in
      do throws(FileSystemError) { return try invalidationBlocking(of: key) } catch {
        throw CacheError(
          .storeFailed,
          "the disk store could not be read; its entry was left as it is",
          key: key,
          cause: error
        )
      }
    }
  }

  private func invalidationBlocking(
    of key: CacheKey
  ) throws(FileSystemError) -> StoreInvalidation? {
    guard let namespace = key.namespace, case .ledger(let book) = try ledgerView() else {
      return nil
    }
    let found = try withRecord(layout.place(of: key), key) {
      descriptor,
      status throws(FileSystemError) -> StoreInvalidation? in
      guard case .success(let head) = try head(descriptor, status), head.key == key.bytes else {
        return nil
      }
      return book.read { $0.verdict(on: head.entry, in: namespace) }?.invalidation
    }
    return found ?? nil
  }
}

extension DiskLedger {
  /// The stamp that takes a record out, or else the last that expires it; `nil` when none reaches it.
  func verdict(on entry: CacheEntry, in namespace: Namespace) -> Stamp? {
    let mark = entry.metadata.loadMark ?? .none
    let own = namespace.description
    let everything = Stamp(subject: Subject(namespace: own), verb: .remove, id: 0)
    guard mark.epoch == epoch || (mark.epoch == 0 && admitsUnmarked) else { return everything }
    let begun = mark.epoch == 0 ? 0 : mark.sequence
    let tags = Set(entry.metadata.tags.map(\.description))
    let names = names(of: namespace)
    let reaching = stamps.filter { stamp in
      stamp.sequence > begun && names.contains(stamp.subject.namespace)
        && tags.isSuperset(of: stamp.subject.tags)
    }
    if let removal = reaching.first(where: { $0.applied(to: entry) == nil }) { return removal }
    return judged(entry, in: namespace) == nil ? everything : reaching.last
  }
}
