extension DiskStore {
  /// Removes every entry of a namespace on the calling thread, which may block for the file system.
  ///
  /// It is one more stamp in the ledger, and the files leave behind the call; without a namespace it
  /// begins a new ledger. The first time, for a namespace without a scope, every file is removed before
  /// it returns. Without a namespace the records that were set aside go too; the folder itself stays.
  ///
  /// - Parameter namespace: which one; `nil` removes all.
  /// - Throws: `CacheError` with the code `removalFailed` when some may still be there; the others
  ///   were removed all the same.
  public func removeAllBlocking(in namespace: Namespace?) throws {
    noteUse()
    try removeAll(in: namespace, clearing: true)
  }

  private func removeAll(in namespace: Namespace?, clearing: Bool) throws {
    defer { noteRemoval(byStamp: true) }
    let isFirst = try !hasLedger()
    // Loads that have begun, in other processes too, must not store what is removed now.
    var failure = invalidate(namespace)
    if isFirst, namespace?.scope.isEmpty != false {
      let other = if let namespace { try removeRecords(of: namespace) } else { removeRecords() }
      failure = failure ?? other
    } else if clearing {
      clearBehind()
    }
    guard let failure else { return }
    throw CacheError(
      .removalFailed,
      "the disk store could not remove all entries",
      cause: failure
    )
  }

  /// Removes every entry on the calling thread, which may block for the file system.
  ///
  /// - Parameter keepingDirectory: whether the store's folder stays; without it the next write makes
  ///   it anew.
  /// - Throws: `CacheError` with the code `removalFailed` when some entry may still be there.
  public func removeAll(keepingDirectory: Bool) throws {
    noteUse()
    try removeAll(in: nil, clearing: keepingDirectory)
    guard !keepingDirectory else { return }
    do throws(FileSystemError) {
      if let failure = removeRecords() { throw failure }
      try erase()
      // Without records nothing has to be remembered.
      _ = try unlinkIfPresent(layout.takenLedgerPath)
      _ = try unlinkIfPresent(layout.ledgerPath)
      ledgers.noteAbsence()
      for shard in try existingShards() { try removeFolder(layout.folder(ofShard: shard)) }
      try removeFolder(layout.asideFolder)
      try removeFolder(layout.temporaryFolder)
      try removeFolder(layout.root)
      try totals.forget()
    } catch {
      throw CacheError(
        .removalFailed,
        "the disk store removed its entries, but not its folder",
        cause: error
      )
    }
  }

  /// Removes one entry if it is still the one that was read, on the calling thread.
  ///
  /// A permanent store sets it aside: the cache asks for this when it cannot decode a value.
  ///
  /// - Parameters:
  ///   - key: the key, in its namespace.
  ///   - entry: what was read.
  /// - Returns: whether it was removed.
  /// - Throws: `CacheError` with the code `removalFailed` when it may still be there.
  @discardableResult
  public func removeBlocking(_ key: CacheKey, ifUnchanged entry: CacheEntry) throws -> Bool {
    noteUse()
    let place = layout.place(of: key)
    do throws(FileSystemError) {
      let removed = try withRecord(place, key) { descriptor, status throws(FileSystemError) in
        switch try record(descriptor, status) {
        case .failure(let error):
          discard(place, status, because: error, key)
          return false
        case .success((let found, let current)):
          guard found == key.bytes, isUnchanged(current, entry, key, status) else { return false }
          return try takeOut(place, status, settingAside: isPermanent)
        }
      }
      return removed ?? false
    } catch {
      throw CacheError(
        .removalFailed,
        "the disk store could not remove an entry",
        key: key,
        cause: error
      )
    }
  }

  /// Whether a record is the one that was read: as it is, or as ledger and idleness showed it.
  private func isUnchanged(
    _ current: CacheEntry,
    _ read: CacheEntry,
    _ key: CacheKey,
    _ status: FileStatus
  ) -> Bool {
    if current == read { return true }
    var current = current
    current.metadata.loadMark = nil
    if read.isExpiredByHand || current.metadata.idleInterval != nil {
      // What only shortens a record's life leaves it the same.
      current.freshUntil = read.freshUntil
      current.keptUntil = read.keptUntil
      current.isExpiredByHand = read.isExpiredByHand
      current.metadata.staleWhileRevalidateEnd = read.metadata.staleWhileRevalidateEnd
      current.metadata.staleIfErrorEnd = read.metadata.staleIfErrorEnd
    }
    return current == read
  }

  private func hasLedger() throws -> Bool {
    do throws(FileSystemError) {
      if case .none = try ledgerView() { return false }
      return true
    } catch {
      throw CacheError(
        .removalFailed,
        "the disk store could not read its ledger; its entries were left as they are",
        cause: error
      )
    }
  }

  /// Invalidates a namespace, or everything, by the ledger.
  private func invalidate(_ namespace: Namespace?) -> FileSystemError? {
    do throws(FileSystemError) {
      guard let namespace else {
        try renewLedger()
        for name in try names(in: layout.asideFolder) {
          _ = try unlinkIfPresent(layout.asideFolder + "/" + name)
        }
        return nil
      }
      try stamp(DiskLedger.Stamp.stamps(of: StoreInvalidation(.remove, .everything, in: namespace)))
      return nil
    } catch {
      return error
    }
  }

  /// Removes every file of every shard, shard by shard.
  private func removeRecords() -> FileSystemError? {
    var failure = removeShards()
    do throws(FileSystemError) {
      // What another process is judging is in no shard, or has just come back to its own.
      for place in try placesInTransit() { try removeCounted(place) }
      failure = failure ?? removeShards()
      for name in try names(in: layout.asideFolder) {
        _ = try unlinkIfPresent(layout.asideFolder + "/" + name)
      }
    } catch {
      failure = failure ?? error
    }
    return failure
  }

  private func removeShards() -> FileSystemError? {
    var failure: FileSystemError?
    do throws(FileSystemError) {
      for shard in try existingShards() {
        do throws(FileSystemError) { try removeFiles(of: shard) } catch {
          failure = failure ?? error
        }
      }
    } catch {
      failure = failure ?? error
    }
    return failure
  }

  /// The places of records that were taken out and are waiting to be judged.
  func placesInTransit() throws(FileSystemError) -> [DiskLayout.Place] {
    try names(in: layout.temporaryFolder).compactMap(layout.place(inTransit:))
  }

  private func removeFiles(of index: Int) throws(FileSystemError) {
    let folder = layout.folder(ofShard: index)
    let (failure, isEmpty) = try totals.withShard(index) { shard throws(FileSystemError) in
      var failure: FileSystemError?
      let names = try names(in: folder)
      _ = try inShard(index) { folder throws(FileSystemError) in
        for name in names {
          do throws(FileSystemError) {
            try unlinkEverywhere(layout.place(named: name, in: index), in: folder)
          } catch {
            failure = failure ?? error
          }
        }
      }
      shard = DiskTotals.Shard(bytes: 0, entries: 0, isKnown: failure == nil)
      return (failure, names.isEmpty)
    }
    if let failure { throw failure }
    if isEmpty { return }
    do throws(FileSystemError) { try synchronizeFolder(folder) } catch {
      guard error.isAbsent else { throw error }
    }
  }

  /// Removes a namespace's files, shard by shard, then those that are being judged, then those that
  /// came back meanwhile.
  private func removeRecords(of namespace: Namespace) throws -> FileSystemError? {
    // The names of other namespaces' records, which need no second look.
    var others: Set<UInt64> = []
    func remove(_ place: DiskLayout.Place, at path: String) throws(FileSystemError) {
      let name = DiskNote.checksum(place.name)
      if others.contains(name) { return }
      let file = DiskLayout.Place(shard: place.shard, name: place.name, path: path)
      try withHead(file) { _, _, head throws(FileSystemError) in
        if namespace.covers(keyBytes: head.key) {
          try removeCounted(place)
        } else {
          others.insert(name)
        }
      }
    }
    func removeFromShards() throws -> FileSystemError? {
      try firstFailure { place throws(FileSystemError) in try remove(place, at: place.path) }
    }
    var failure = try removeFromShards()
    do throws(FileSystemError) {
      for place in try placesInTransit() { try remove(place, at: layout.transit(place)) }
    } catch {
      failure = failure ?? error
    }
    let last = try removeFromShards()
    return failure ?? last
  }

  private func removeFolder(_ path: String) throws(FileSystemError) {
    do throws(FileSystemError) { try files.removeDirectory(path) } catch {
      // Something was written meanwhile, or is not ours to remove.
      guard error.isAbsent || error.isNotEmpty else { throw error }
    }
  }
}
