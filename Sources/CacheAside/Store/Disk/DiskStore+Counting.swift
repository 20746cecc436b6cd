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
    for shard in 0..<DiskLayout.shardCount {
      try count(shard, isThere: existing.contains(shard), again: false)
    }
  }

  /// Counts one shard from the folder.
  func count(_ index: Int, isThere: Bool = true, again: Bool) throws(FileSystemError) {
    try totals.withShard(index) { shard throws(FileSystemError) in
      guard again || !shard.isKnown else { return }
      var found = DiskTotals.Shard(bytes: 0, entries: 0, isKnown: true)
      if isThere {
        let folder = layout.folder(ofShard: index)
        for name in try names(in: folder) {
          guard let status = try statusIfPresent(folder + "/" + name) else { continue }
          found.change(from: nil, to: status.kind == .file ? status.size : nil)
        }
      }
      shard = found
    }
  }

  /// The shards that have a folder; a link in the place of one is removed.
  func existingShards() throws(FileSystemError) -> [Int] {
    try names(in: layout.root).compactMap(DiskLayout.shard(named:)).sorted()
  }

  /// The names in a folder of the store; none when it is missing or no folder.
  func names(in folder: String) throws(FileSystemError) -> [String] {
    do throws(FileSystemError) { return try files.list(folder) } catch {
      guard error.isAbsent || error.isNotDirectory else { throw error }
    }
    // A link in the place of a folder leads out of the store.
    if folder != layout.root, try statusIfPresent(folder)?.kind == .other {
      _ = try unlinkIfPresent(folder)
    }
    return []
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
      for name in try names(in: layout.folder(ofShard: shard)) {
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
