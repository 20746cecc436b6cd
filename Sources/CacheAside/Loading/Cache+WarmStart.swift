// Memory that outlives its process: the table is written to a file and read back with what is left
// of every life. An entry's record is the one that stores keep, with the table's own key beside it.

extension CacheMetadata.Field {
  /// The table's key in a saved memory table, where it is not a `CacheKey`.
  static let tableKey = CacheMetadata.Field(rawValue: 64)
  /// The end of freshness by idleness in a saved memory table, in microseconds since 1970.
  static let idleDeadline = CacheMetadata.Field(rawValue: 65)
}

extension Cache {
  /// Saves what memory holds to a file, so that another process can start with it.
  ///
  /// The file is replaced atomically and readable by its user only. Calls go on meanwhile: each
  /// entry is saved as it is when its turn comes. Values that cannot be encoded are left out, with an
  /// event. Runs on threads of its own; cancellation does not stop it.
  ///
  /// - Parameter path: the file's path; its folder exists.
  /// - Returns: how many entries were saved.
  /// - Throws: `CacheError` with the code `unsupportedType` when values have no codec or keys are
  ///   neither `CacheKey`s nor `Codable`, `storeFailed` when the file could not be written, `closed` once
  ///   ``close(within:)`` has begun; the older file is untouched then.
  /// - Complexity: O(n).
  @discardableResult
  public nonisolated(nonsending) func saveMemory(to path: String) async throws -> Int {
    try await saveMemory(MemoryFile(path))
  }

  /// Reads a file of ``saveMemory(to:)`` into memory, where it has nothing newer.
  ///
  /// Entries keep their lives: what has ended meanwhile stays out, and so do entries of another
  /// feature, version, type or structure, and damaged ones. A file that does not exist is an empty
  /// one. What was removed after the file was saved comes back. Calls go on meanwhile, and whatever
  /// they store or remove wins. Runs on threads of its own; cancellation does not stop it.
  ///
  /// - Parameter path: the file's path.
  /// - Returns: what became of the entries.
  /// - Throws: `CacheError` with the code `unsupportedType` as ``saveMemory(to:)``, `recordDamaged`
  ///   when it is no such file, `storeFailed` when it could not be read, `closed` once
  ///   ``close(within:)`` has begun.
  /// - Complexity: O(n).
  @discardableResult
  public nonisolated(nonsending) func restoreMemory(
    from path: String
  ) async throws -> RestoredMemory {
    try await restoreMemory(MemoryFile(path))
  }

  nonisolated(nonsending) func saveMemory(_ file: MemoryFile) async throws -> Int {
    try core.checkOpen()
    let codecs = try warmStartCodecs()
    return try await MemoryFile.threads.run(core.time) { [self] in
      do {
        var saved = 0
        try file.write(mark: core.time.random()) { add in
          saved += try save(codecs.value, codecs.key, add)
          if let scoped = scopedTableIfMade {
            saved += try scoped.save(codecs.value, nil, add)
          }
        }
        return saved
      } catch {
        throw CacheError(.storeFailed, "memory could not be saved to a file", cause: error)
      }
    }
  }

  nonisolated(nonsending) func restoreMemory(_ file: MemoryFile) async throws -> RestoredMemory {
    try core.checkOpen()
    let codecs = try warmStartCodecs()
    return try await MemoryFile.threads.run(core.time) { [self] in
      var restored = RestoredMemory()
      // Whatever is invalidated from now on reaches the entries, too.
      let begun = core.stamps.now
      do {
        _ = try file.read { key, entry in
          restored.count(restore(key, entry, codecs.value, codecs.key, begun))
        } onDamage: {
          restored.damaged += 1
        }
      } catch let error as EnvelopeError {
        throw CacheError(.recordDamaged, "the file holds no saved memory", cause: error)
      } catch {
        throw CacheError(.storeFailed, "saved memory could not be read", cause: error)
      }
      return restored
    }
  }

  private func warmStartCodecs() throws -> (value: Codec<Value>, key: Codec<Key>?) {
    guard let codec else {
      throw CacheError(
        .unsupportedType,
        "\(Value.self) has no codec; make it Codable or give the cache a codec"
      )
    }
    if strategy.isIdentity { return (codec, nil) }
    guard let keys = Codec<Key>.automatic() else {
      throw CacheError(
        .unsupportedType,
        "keys of the type \(Key.self) cannot be read back from a file; make the type Codable"
      )
    }
    return (codec, keys)
  }

  /// Adds the records of this table.
  private func save(
    _ codec: Codec<Value>,
    _ keys: Codec<Key>?,
    _ add: ([UInt8]) throws -> Void
  ) throws -> Int {
    var saved = 0
    var failure: (any Error)?
    memory.forEach { key, entry in
      let storeKey = storeKey(key)
      let now = core.now
      guard entry.deadline > now.monotonic || entry.keptUntil > now.monotonic else { return true }
      let record: [UInt8]
      do {
        var saved = self.record(of: entry, codec, try codec.encodeEntryPayload(entry.value), now)
        saved.metadata[.tableKey] = try keys?.encode(key)
        record = try saved.record(for: storeKey)
      } catch {
        core.counters.encodeFailures.add()
        core.report(.encodeFailed, key: storeKey, error: error)
        return true
      }
      do { try add(record) } catch {
        failure = error
        return false
      }
      saved += 1
      return true
    }
    if let failure { throw failure }
    return saved
  }

  private func record(
    of entry: MemoryEntry<Value>,
    _ codec: Codec<Value>,
    _ payload: [UInt8]?,
    _ now: Moment
  ) -> CacheEntry {
    let created = now.wall(of: entry.storedAt)
    let deadline = now.wall(of: entry.deadline)
    let terms = entry.terms ?? .none
    var record = CacheEntry(
      payload: payload,
      codec: codec.identifier,
      type: type,
      schema: schema,
      created: created,
      freshUntil: deadline,
      keptUntil: now.wall(of: max(entry.keptUntil, entry.deadline)),
      isExpiredByHand: terms.isExpiredByHand
    )
    if terms.idle > 0, !terms.isExpiredByHand {
      record.metadata.setNumber(deadline, .idleDeadline)
      record.metadata.idleInterval = terms.idle
      record.freshUntil = Lifetime(remaining: terms.idleMaximum).freshUntil(from: created)
    }
    record.setWindows(
      StaleWindows(whileRevalidating: terms.staleWhileRevalidate, ifError: terms.staleIfError)
    )
    record.metadata.tags = terms.tags
    record.metadata.validator = terms.validator
    record.metadata.loadTime = terms.loadTime > 0 ? terms.loadTime : nil
    record.metadata.setNumber(Int64(entry.cost), .cost)
    return record
  }
}

extension Moment {
  /// An instant of the monotonic line on the wall line; rounds down.
  func wall(of instant: Int64) -> Int64 {
    if instant == .max { return .max }
    let (difference, overflow) = instant.subtractingReportingOverflow(monotonic)
    if overflow { return instant > monotonic ? .max : 0 }
    return Lifetime.sum(wall, difference / 1_000 - (difference % 1_000 < 0 ? 1 : 0))
  }

  /// An instant of the wall line on the monotonic line.
  func monotonic(of instant: Int64) -> Int64 {
    if instant == .max { return .max }
    let (difference, overflow) = instant.subtractingReportingOverflow(wall)
    if overflow { return instant > wall ? .max : .min / 2 }
    let (product, isBeyond) = difference.multipliedReportingOverflow(by: 1_000)
    if isBeyond { return difference > 0 ? .max : .min / 2 }
    return max(.min / 2, Lifetime.sum(monotonic, product))
  }
}
