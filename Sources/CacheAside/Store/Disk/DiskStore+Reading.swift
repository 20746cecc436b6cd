extension DiskStore {
  /// A whole record, or what is wrong with it.
  typealias Record = Result<(key: [UInt8], entry: CacheEntry), EnvelopeError>

  /// Up to this size a record is read in one call.
  private static let wholeReadLimit = 65_536

  /// A read stamps the access time when it is older than this, in microseconds.
  static let recencyInterval: Int64 = 600_000_000

  /// Reads one entry on the calling thread, which may block for the file system.
  ///
  /// A damaged record is removed, or set aside in a permanent store, and reported. One that was
  /// invalidated by tag or namespace is removed.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the entry, or `nil` when it is absent, damaged or of another key.
  /// - Throws: `CacheError` with the code `storeFailed` when it could not be read; nothing is
  ///   deleted then.
  /// - Complexity: five to ten file calls.
  public func entryBlocking(for key: CacheKey) throws -> CacheEntry? {
    noteUse()
    let place = layout.place(of: key)
    do throws(FileSystemError) {
      let view = try ledgerView()
      if case .distrusted = view { return nil }
      let entry = try withRecord(place, key) {
        descriptor,
        status throws(FileSystemError) -> CacheEntry? in
        switch try record(descriptor, status) {
        case .failure(let error):
          discard(place, status, because: error, key)
          return nil
        case .success((let found, let entry)):
          // Another key of the same digest: a miss, and a sound record of that key.
          guard found == key.bytes else { return nil }
          let now = time.wall
          if let tooOld = limit.tooOld(at: now), entry.created <= tooOld { return nil }
          if Lifetime.isFromTheFuture(created: entry.created, wall: now) {
            // It would come back when its time has come.
            _ = try takeOut(place, status, settingAside: isPermanent)
            return nil
          }
          guard let readable = readable(entry, key.namespace, status, view) else {
            try drop(place, status, view)
            return nil
          }
          // A read does not bring back what has ended.
          if readable.freshUntil == entry.freshUntil {
            if limit.needsTotals { uses.note(place.name, in: place.shard, at: now) }
            stampRecency(descriptor, status, now, entry, place)
          }
          return readable
        }
      }
      return entry ?? nil
    } catch {
      throw CacheError(
        .storeFailed,
        "the disk store could not be read; its entry was left as it is",
        key: key,
        cause: error
      )
    }
  }

  /// Removes a record that is out; its mark may be the last that is left of a ledger.
  private func drop(
    _ place: DiskLayout.Place,
    _ status: FileStatus,
    _ view: DiskLedgerView
  ) throws(FileSystemError) {
    if case .none = view {
      if case .none = try readLedger() { _ = try replaceLostLedger() }
    } else {
      _ = try takeOut(place, status, settingAside: false)
    }
  }

  /// Opens a file of a shard and closes it again; `nil` when there is none.
  func withRecord<Result>(
    _ place: DiskLayout.Place,
    _ key: CacheKey?,
    _ body: (Int32, FileStatus) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result? {
    let descriptor: Int32
    do throws(FileSystemError) {
      descriptor = try files.open(place.path)
    } catch {
      if error.isAbsent { return nil }
      // A link is not followed, and a socket cannot be opened.
      guard try statusIfPresent(place.path)?.kind == .other else { throw error }
      discardIntruder(place, key)
      return nil
    }
    defer { closeReported(descriptor) }
    let status = try files.status(of: descriptor)
    // A directory in a shard is nobody's record; the store leaves it alone.
    if status.kind == .directory { return nil }
    return try body(descriptor, status)
  }

  /// Reads what precedes the value; a sweep needs no more.
  func head(
    _ descriptor: Int32,
    _ status: FileStatus
  ) throws(FileSystemError) -> Result<Envelope.Head, EnvelopeError> {
    let start = try files.read(descriptor, at: 0, count: min(512, status.size))
    let header = Result { () throws(EnvelopeError) in
      try EnvelopeHeader(start, ofRecord: status.size)
    }
    switch header {
    case .failure(let error):
      return .failure(error)
    case .success(let header):
      let bytes =
        header.valueOffset <= start.count
        ? start : try files.read(descriptor, at: 0, count: header.valueOffset)
      return Result { () throws(EnvelopeError) in try Envelope.decodeHead(bytes) }
    }
  }

  /// Reads a whole record; a large value is read straight into its own array.
  func record(_ descriptor: Int32, _ status: FileStatus) throws(FileSystemError) -> Record {
    if status.size <= Self.wholeReadLimit {
      let bytes = try files.read(descriptor, at: 0, count: status.size)
      do throws(EnvelopeError) { return .success(try Envelope.decode(bytes)) } catch {
        return .failure(error)
      }
    }
    switch try head(descriptor, status) {
    case .failure(let error):
      return .failure(error)
    case .success(let head):
      let offset = head.header.valueOffset
      let value = try files.read(descriptor, at: offset, count: status.size - offset)
      return Result { () throws(EnvelopeError) in (head.key, try Envelope.entry(head, value: value))
      }
    }
  }

  private func stampRecency(
    _ descriptor: Int32,
    _ status: FileStatus,
    _ now: Int64,
    _ entry: CacheEntry,
    _ place: DiskLayout.Place
  ) {
    // Far in the future counts as long ago: a clock that was set back must not freeze the order.
    guard (now &- status.accessed).magnitude >= UInt64(entry.useInterval) else { return }
    do throws(FileSystemError) {
      try files.setAccessTime(descriptor, now)
      note(entry, try files.status(of: descriptor), at: place, now)
    } catch {
      // Recency is a hint; on a read-only volume it is simply not kept.
    }
  }

  /// Notes for the index what a write or a use told about a record.
  func note(_ entry: CacheEntry, _ status: FileStatus, at place: DiskLayout.Place, _ now: Int64) {
    var note = DiskNote(
      place.name,
      status,
      created: entry.created,
      freshUntil: entry.freshUntil,
      keptUntil: entry.keptUntil
    )
    if entry.metadata.idleInterval != nil {
      var unused = entry
      unused.endWhenUnused(since: status.accessed, now)
      (note.freshUntil, note.keptUntil) = (unused.freshUntil, unused.keptUntil)
    }
    diskIndex.note(note, in: place.shard, at: now)
  }

  func closeReported(_ descriptor: Int32) {
    do throws(FileSystemError) { try files.close(descriptor) } catch {
      report(.readFailed, nil, error)
    }
  }
}
