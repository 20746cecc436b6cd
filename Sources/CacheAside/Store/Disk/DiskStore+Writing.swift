extension DiskStore {
  /// A record as it is written: whole, or what precedes a large value and the value.
  private struct Pieces {
    var first: [UInt8]
    var rest: [UInt8] = []

    var count: Int { first.count + rest.count }
  }

  /// Up to this size a record is written in one call.
  private static let wholeWriteLimit = 65_536

  /// The latest time that is given to a file, 2100-01-01; some file systems know no later one.
  private static let latestFileTime: Int64 = 4_102_444_800_000_000

  /// Writes one entry on the calling thread, which may block for the file system.
  ///
  /// A record above the limit is not stored and evicts nothing, but removes the older one, and is
  /// reported as rejected. When the limit is exceeded afterwards, this call evicts. What has been
  /// invalidated since its load began is not stored: another process may have written anew since.
  ///
  /// - Parameters:
  ///   - entry: what to keep.
  ///   - key: the key, in its namespace.
  /// - Throws: `CacheError` with the code `storeFailed` when it could not be written; the older entry
  ///   is gone then, unless the error says otherwise.
  /// - Complexity: eight to twelve file calls, unless it evicts or is the first to need the totals.
  public func setBlocking(_ entry: CacheEntry, for key: CacheKey) throws {
    noteUse()
    let place = layout.place(of: key)
    let size: Int
    do {
      var entry = entry
      guard try mark(&entry, of: key) else { return }
      let pieces = try pieces(of: entry, key)
      size = pieces.count
      if limit.admits(recordOf: size) { try write(pieces, entry, to: place) }
    } catch {
      try removeOlder(place, key, because: error)
      throw CacheError(
        .storeFailed,
        "the disk store could not write an entry; an older one of its key was removed",
        key: key,
        cause: error
      )
    }
    guard limit.admits(recordOf: size) else {
      report(.rejected, key, nil)
      return try removeOlder(place, key, because: nil)
    }
    holdLimit(keeping: place)
  }

  /// Removes one entry on the calling thread, which may block for the file system.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Throws: `CacheError` with the code `removalFailed` when the entry may still be there.
  /// - Complexity: at most six file calls.
  public func removeBlocking(_ key: CacheKey) throws {
    noteUse()
    defer { noteRemoval() }
    do throws(FileSystemError) { try removeCounted(layout.place(of: key)) } catch {
      throw CacheError(
        .removalFailed,
        "the disk store could not remove an entry",
        key: key,
        cause: error
      )
    }
  }

  /// Removes whatever has the name of a record, and corrects the totals.
  func removeCounted(_ place: DiskLayout.Place) throws(FileSystemError) {
    try totals.withShard(place.shard) { shard throws(FileSystemError) in
      let isKnown = shard.isKnown
      let old = try inShard(place.shard) { folder throws(FileSystemError) in
        let old = isKnown ? try statusIfPresent(place.name, in: folder) : nil
        try unlinkEverywhere(place, in: folder)
        return old
      }
      guard let old else {
        _ = try unlinkIfPresent(layout.transit(place))
        return
      }
      shard.change(from: old, to: nil)
    }
    do throws(FileSystemError) {
      try synchronizeFolder(layout.folder(ofShard: place.shard))
    } catch {
      guard error.isAbsent else { throw error }
    }
  }

  private func removeOlder(
    _ place: DiskLayout.Place,
    _ key: CacheKey,
    because cause: (any Error)?
  ) throws {
    do throws(FileSystemError) { try removeCounted(place) } catch {
      throw CacheError(
        .storeFailed,
        "the disk store could neither write an entry nor remove the older one of its key",
        key: key,
        cause: cause ?? error
      )
    }
  }

  /// Gives an entry the mark of its load; what comes without one begins now.
  ///
  /// - Returns: whether nothing has reached it since.
  private func mark(_ entry: inout CacheEntry, of key: CacheKey) throws(FileSystemError) -> Bool {
    let view = try ledgerView()
    guard let mark = entry.metadata.loadMark else {
      if case .none = view { return true }
      if ledgers.mark != .none { entry.metadata.loadMark = ledgers.mark }
      return true
    }
    if mark.epoch == 0 { entry.metadata.loadMark = nil }
    switch view {
    case .distrusted: return true
    case .none: return !isForeign(entry)
    case .ledger(let book): return book.read { $0.judged(entry, in: key.namespace) } == entry
    }
  }

  private func pieces(
    of entry: CacheEntry,
    _ key: CacheKey
  ) throws(EnvelopeError) -> Pieces {
    let bytes = key.bytes
    guard let payload = entry.payload, payload.count > Self.wholeWriteLimit else {
      return Pieces(first: try Envelope.encode(entry, key: bytes))
    }
    return Pieces(first: try Envelope.encodeHead(entry, key: bytes), rest: payload)
  }

  /// Writes a record to a temporary file and renames it into place.
  ///
  /// The folders are made when they are missing. Somebody may remove them again at any moment, so a
  /// few rounds are tried.
  private func write(
    _ pieces: Pieces,
    _ entry: CacheEntry,
    to place: DiskLayout.Place
  ) throws(FileSystemError) {
    for attempt in 0..<3 {
      do throws(FileSystemError) {
        return try writeOnce(pieces, entry, to: place)
      } catch {
        guard error.isAbsent, attempt < 2 else { throw error }
        try makeFolders()
      }
    }
  }

  private func writeOnce(
    _ pieces: Pieces,
    _ entry: CacheEntry,
    to place: DiskLayout.Place
  ) throws(FileSystemError) {
    let path = layout.temporaryPath()
    let descriptor = try files.create(path, protection)
    do throws(FileSystemError) {
      do throws(FileSystemError) {
        let now = time.wall
        try fill(descriptor, pieces, entry.freshUntil, now)
        try rename(path, descriptor, to: place, entry, pieces.count, now)
      } catch {
        do throws(FileSystemError) { try files.close(descriptor) } catch {
          // The first error says more.
        }
        throw error
      }
      try files.close(descriptor)
    } catch {
      do throws(FileSystemError) { _ = try unlinkIfPresent(path) } catch {
        // `flush` tries again.
        noteLeftover(path)
        report(.removalFailed, nil, error)
      }
      throw error
    }
    try synchronizeFolder(layout.folder(ofShard: place.shard))
  }

  private func fill(
    _ descriptor: Int32,
    _ pieces: Pieces,
    _ freshUntil: Int64,
    _ now: Int64
  ) throws(FileSystemError) {
    try files.write(descriptor, pieces.first)
    if !pieces.rest.isEmpty { try files.write(descriptor, pieces.rest) }
    // Never in the past, else a sweep could take the file for an abandoned one.
    let hint = max(now, min(freshUntil, Self.latestFileTime))
    try files.setTimes(descriptor, accessed: now, modified: hint)
    if durability == .power { try files.synchronize(descriptor) }
  }

  private func rename(
    _ path: String,
    _ descriptor: Int32,
    to place: DiskLayout.Place,
    _ entry: CacheEntry,
    _ size: Int,
    _ now: Int64
  ) throws(FileSystemError) {
    let name = DiskNote.checksum(place.name)
    let isNewFolder = try totals.withShard(place.shard) { shard throws(FileSystemError) in
      // What was never counted need not be looked at: its place in the totals is that of the new one.
      var old = shard.mayHave(name) ? try statusIfPresent(place.path) : nil
      var isNew = false
      if try !moveIfPresent(path, to: place) {
        isNew = try makeDirectory(layout.folder(ofShard: place.shard))
        if isNew { shard = DiskTotals.Shard(bytes: 0, entries: 0, isKnown: true) }
        old = nil
        guard try moveIfPresent(path, to: place) else {
          throw FileSystemError(.rename, code: FileSystemError.absent)
        }
      }
      shard.change(from: old, to: size, named: name)
      if limit.needsTotals { uses.note(place.name, in: place.shard, at: now) }
      noteWritten(descriptor, entry, at: place, now)
      return isNew
    }
    if isNewFolder { try synchronizeFolder(layout.root) }
  }

  /// Gives a file its name in a shard; `false` when the folder or the file is missing.
  func moveIfPresent(_ path: String, to place: DiskLayout.Place) throws(FileSystemError) -> Bool {
    let isMoved = try inShard(place.shard) { folder throws(FileSystemError) in
      do throws(FileSystemError) {
        try files.rename(path, to: place.name, in: folder)
        return true
      } catch {
        guard error.isAbsent else { throw error }
        return false
      }
    }
    return isMoved ?? false
  }

  /// Notes a record that has its name by now; a rename changes the file's own record.
  private func noteWritten(
    _ descriptor: Int32,
    _ entry: CacheEntry,
    at place: DiskLayout.Place,
    _ now: Int64
  ) {
    do throws(FileSystemError) {
      note(entry, try files.status(of: descriptor), at: place, now)
    } catch {
      // It is only a hint.
    }
  }
}
