// Removing what is kept no longer, one shard at a time.
//
// The modification time says when a record stops being fresh, but only as a hint: a file whose time
// has come is opened and its header decides, and so are a few others in every shard, so that a wrong
// time cannot keep a dead file for ever. Payloads are never read. `removeExpired` trusts no hint at
// all and reads every header.
extension DiskStore {
  /// A temporary file that is older than this, in microseconds, has no living writer.
  private static let abandonedAfter: Int64 = 3_600_000_000

  /// How many files of a shard are opened although their time says "fresh".
  private static let samples = 2

  /// Begins the background work with the first use.
  func noteUse() {
    guard sweeper.noteUse() else { return }
    sweeper.start(time) { [weak self] shard in
      guard let self else { return false }
      await sweepInBackground(shard)
      return true
    }
  }

  private func sweepInBackground(_ shard: Int) async {
    do {
      try await onStoreThread { [self] in try sweep(shard) }
    } catch {
      report(.readFailed, nil, error)
    }
  }

  /// Sweeps and counts one shard; with the first, the temporary files too.
  func sweep(_ shard: Int) throws(FileSystemError) {
    if shard == 0 { try sweepTemporaries() }
    // A permanent store removes entries on request only.
    if !isPermanent { try removeExpired(in: shard) }
    if totals.areKnown { try count(shard, again: true) }
  }

  private func removeExpired(in shard: Int) throws(FileSystemError) {
    let now = time.wall
    let names = try names(in: layout.folder(ofShard: shard))
    var sampled: Set<Int> = []
    if !names.isEmpty {
      for _ in 0..<Self.samples { sampled.insert(Int(time.random() % UInt64(names.count))) }
    }
    for (index, name) in names.enumerated() {
      let place = layout.place(named: name, in: shard)
      guard let status = try statusIfPresent(place.path) else { continue }
      switch status.kind {
      case .other: discardIntruder(place, nil)
      case .directory: continue
      case .file:
        let isDue = status.modified <= now || sampled.contains(index) || limit.age != nil
        guard isDue else { continue }
        _ = try removeIfExpired(place, at: now)
      }
    }
  }

  /// Removes the entries that are kept no longer, on the calling thread, by their headers.
  ///
  /// - Parameter includingKept: whether those go as well that have expired and are still kept.
  /// - Returns: how many were removed.
  /// - Throws: `CacheError` with the code `storeFailed` when some could not be looked at; the others
  ///   were removed all the same.
  /// - Complexity: reads the header of every entry, and no payload.
  @discardableResult
  public func removeExpiredBlocking(includingKept: Bool) throws -> Int {
    noteUse()
    var removed = 0
    let now = time.wall
    let failure = try firstFailure { place throws(FileSystemError) in
      if try removeIfExpired(place, at: now, includingKept: includingKept) { removed += 1 }
    }
    guard let failure else { return removed }
    throw CacheError(
      .storeFailed,
      "the disk store could not look at all entries; \(removed) expired ones were removed",
      cause: failure
    )
  }

  /// Does something with every file of every shard, and goes on after a failure.
  ///
  /// - Returns: the first failure.
  func firstFailure(
    _ body: (DiskLayout.Place) throws(FileSystemError) -> Void
  ) throws -> FileSystemError? {
    var failure: FileSystemError?
    do throws(FileSystemError) {
      for shard in try existingShards() {
        for name in try names(in: layout.folder(ofShard: shard)) {
          do throws(FileSystemError) {
            try body(layout.place(named: name, in: shard))
          } catch {
            failure = failure ?? error
          }
        }
      }
    } catch {
      failure = failure ?? error
    }
    return failure
  }

  /// Removes one record if its header says that it is kept no longer.
  func removeIfExpired(
    _ place: DiskLayout.Place,
    at now: Int64,
    includingKept: Bool = false
  ) throws(FileSystemError) -> Bool {
    var removed = false
    try withHead(place) { place, status, head throws(FileSystemError) in
      let header = head.header
      let isTooOld = limit.tooOld(at: now).map { header.created <= $0 } ?? false
      let end = includingKept ? min(header.freshUntil, header.keptUntil) : header.keptUntil
      guard end <= now || isTooOld else { return }
      removed = try takeOut(place, status, settingAside: false)
    }
    return removed
  }

  /// Removes abandoned temporary files, and counts those of other processes that are being written.
  func sweepTemporaries() throws(FileSystemError) {
    let now = time.wall
    let own = DiskLayout.writerPrefix
    var bytes = 0
    for name in try names(in: layout.temporaryFolder) where !name.hasPrefix(own) {
      let path = layout.temporaryFolder + "/" + name
      guard let status = try statusIfPresent(path), status.kind != .directory else { continue }
      // A finished file carries its lifetime, so a time to come says nothing about its age.
      let touched = status.modified <= now ? status.modified : status.changed / 1_000
      if status.kind == .other || now &- touched > Self.abandonedAfter {
        _ = try unlinkIfPresent(path)
      } else {
        bytes += status.size
      }
    }
    totals.temporaryBytes = bytes
  }
}
