extension DiskStore {
  /// How much the store holds, on the calling thread; the first call counts the folder.
  ///
  /// - Parameter namespace: whose entries; `nil` counts all of them from the running totals, with
  ///   the temporary files that other processes left. A namespace's are found by reading the keys.
  /// - Returns: entries and bytes, as the sum of file lengths.
  /// - Throws: `CacheError` with the code `storeFailed` when the folder could not be read.
  public func usageBlocking(in namespace: Namespace? = nil) throws -> StoreUsage {
    do throws(FileSystemError) {
      if let namespace { return try usage(of: namespace) }
      if try statusIfPresent(layout.root) == nil { try totals.forget() }
      try countUnknown()
      return StoreUsage(entries: totals.entries, bytes: totals.bytes + totals.temporaryBytes)
    } catch {
      throw CacheError(.storeFailed, "the disk store could not be counted", cause: error)
    }
  }

  /// The bytes that the store holds, on the calling thread; the first call counts the folder.
  public var diskUsage: Int {
    get throws { try usageBlocking().bytes ?? 0 }
  }

  /// Counts the shards that were not counted yet, one critical section each.
  func countUnknown() throws(FileSystemError) {
    guard !totals.areKnown else { return }
    try sweepTemporaries()
    let existing = Set(try existingShards())
    for shard in 0..<DiskLayout.shardCount where !totals.isKnown(shard) {
      saveIndex(try survey(shard, isThere: existing.contains(shard), counting: true))
    }
  }

  /// The shards that have a folder; a link in the place of one is removed.
  func existingShards() throws(FileSystemError) -> [Int] {
    try names(in: layout.root).compactMap(DiskLayout.shard(named:)).sorted()
  }

  /// The names in a folder of the store; none when it is missing or no folder.
  func names(in folder: String) throws(FileSystemError) -> [String] {
    let listing = try listing(of: folder)
    return (0..<listing.count).map(listing.name)
  }

  /// The names of the records in a shard.
  func recordNames(in shard: Int) throws(FileSystemError) -> [String] {
    try names(in: layout.folder(ofShard: shard)).filter { $0 != DiskLayout.indexName }
  }

  /// What is in a folder of the store; nothing when it is missing or no folder.
  func listing(of folder: String) throws(FileSystemError) -> DirectoryListing {
    do throws(FileSystemError) { return try files.listing(of: folder) } catch {
      guard error.isAbsent || error.isNotDirectory else { throw error }
    }
    // A link in the place of a folder leads out of the store.
    if folder != layout.root, try statusIfPresent(folder)?.kind == .other {
      _ = try unlinkIfPresent(folder)
    }
    return DirectoryListing()
  }

  private func usage(of namespace: Namespace) throws(FileSystemError) -> StoreUsage {
    var usage = (entries: 0, bytes: 0)
    try forEachHead { _, status, head throws(FileSystemError) in
      guard namespace.covers(keyBytes: head.key) else { return }
      usage.entries += 1
      usage.bytes += status.size
    }
    return StoreUsage(entries: usage.entries, bytes: usage.bytes)
  }

  /// Calls `body` with the head of every sound record, while its file is open.
  func forEachHead(
    _ body: (DiskLayout.Place, FileStatus, Envelope.Head) throws(FileSystemError) -> Void
  ) throws(FileSystemError) {
    for shard in try existingShards() {
      for name in try recordNames(in: shard) {
        try withHead(layout.place(named: name, in: shard), body)
      }
    }
  }

  /// Calls `body` with the head of one record, while its file is open; a damaged one is discarded.
  func withHead(
    _ place: DiskLayout.Place,
    _ body: (DiskLayout.Place, FileStatus, Envelope.Head) throws(FileSystemError) -> Void
  ) throws(FileSystemError) {
    _ = try withRecord(place, nil) { descriptor, status throws(FileSystemError) in
      switch try head(descriptor, status) {
      case .failure(let error): discard(place, status, because: error, nil)
      case .success(let head): try body(place, status, head)
      }
    }
  }
}
