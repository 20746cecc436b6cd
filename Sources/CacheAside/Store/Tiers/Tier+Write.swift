// The verbs of a tier: what they mean is in `Tier+Rules`, how it is done in `Tier+Store`. Each has a
// form for synchronous callers, which in a store that suspends queues the work behind a tombstone.

extension Tier {
  // MARK: Several keys

  /// Does something to keys, after every older write of theirs.
  ///
  /// - Parameter writes: what is done, each key once.
  /// - Returns: how it went, in the same order.
  func perform(_ writes: [TierWrite]) async -> [TierWrite.Outcome] {
    guard let first = writes.first else { return [] }
    let kind: TierOperation.Kind = writes.contains(where: \.isSet) ? .write : .removal
    let results: [TierWrite.Outcome]
    do {
      let operation = try begin(kind, first.key, count: writes.count)
      defer { operations.end(operation) }
      results = await perform(writes, operation)
    } catch {
      results = refuse(writes, error)
    }
    return noted(writes, results)
  }

  /// The same on the calling thread; `nil` where the store suspends.
  func performBlocking(_ writes: [TierWrite]) -> [TierWrite.Outcome]? {
    guard let blocking else { return nil }
    guard let first = writes.first else { return [] }
    let kind: TierOperation.Kind = writes.contains(where: \.isSet) ? .write : .removal
    // A thread that waits for the store cannot be given up.
    do {
      let operation = try operations.begin(kind, first.key, count: writes.count)
      defer { operations.end(operation) }
      return noted(writes, run(writes, blocking, operation))
    } catch {
      return refuse(writes, error)
    }
  }

  private func perform(
    _ writes: [TierWrite],
    _ operation: TierOperation
  ) async -> [TierWrite.Outcome] {
    let start = tombstones.newest
    do {
      guard let blocking else {
        try await queue.drain(for: operation)
        return await run(writes, operation)
      }
      return try await call(operation, writing: writes.filter(\.isSet).map(\.key)) { [self] in
        try await blocking.onStoreThread { [self] in run(writes, blocking, operation) }
      }
    } catch {
      return writes.map { fail($0, error, replacing: start) }
    }
  }

  /// While the tier is being closed nothing is changed, and what was there stays.
  private func refuse(_ writes: [TierWrite], _ error: any Error) -> [TierWrite.Outcome] {
    writes.map { write in
      if isSuperseded(write) { return .superseded }
      if operations.isClosing { return .failed(error) }
      return fail(write, error, replacing: .max)
    }
  }

  private func noted(_ writes: [TierWrite], _ results: [TierWrite.Outcome]) -> [TierWrite.Outcome] {
    for (write, result) in zip(writes, results) where write.isSet {
      write.note?.stores(in: name, result.isDone)
    }
    if results.contains(where: \.isDone) { repeatFailed() }
    return results
  }

  /// Queues a change in a store that suspends; until it is done nothing is read for the key.
  ///
  /// Once it is queued, only its tombstone counts: a later call for the key replaces the stone.
  ///
  /// - Returns: `done` when it was queued.
  private func queue(_ write: TierWrite) -> TierWrite.Outcome {
    let token = tombstones.put(
      write.key,
      wall: newestWall,
      isQueued: true,
      unless: write.isSuperseded
    )
    guard let token else { return .superseded }
    let kind: TierOperation.Kind = write.isSet ? .write : .removal
    let current = TierWrite(key: write.key, change: write.change, stone: .token(token))
    do {
      try queueWork(kind, write.key) { [self] operation in _ = await run([current], operation) }
      return .done
    } catch {
      return refuse([current], error)[0]
    }
  }

  // MARK: One key

  /// Writes a record unless it has been superseded by the time its turn comes.
  ///
  /// A failed write removes the older record, and puts a tombstone when even that fails, so that
  /// the old value is not served over the new one.
  ///
  /// - Returns: whether it was written.
  /// - Throws: only under ``TierFaultPolicy/fail``.
  @discardableResult
  func write(
    _ entry: CacheEntry,
    _ key: CacheKey,
    begun mark: LoadMark? = nil,
    unless isSuperseded: @escaping @Sendable () -> Bool
  ) async throws -> Bool {
    let write = TierWrite(key: key, change: .set(entry, mark), isSuperseded: isSuperseded)
    return try written(write, await perform([write])[0])
  }

  /// Writes a record on the calling thread; a tier that suspends queues it behind a tombstone.
  ///
  /// - Returns: whether it was written or queued.
  @discardableResult
  func writeBlocking(
    _ entry: CacheEntry,
    _ key: CacheKey,
    begun mark: LoadMark? = nil,
    unless isSuperseded: @escaping @Sendable () -> Bool
  ) throws -> Bool {
    let write = TierWrite(key: key, change: .set(entry, mark), isSuperseded: isSuperseded)
    return try written(write, performBlocking([write])?[0] ?? queue(write))
  }

  private func written(_ write: TierWrite, _ result: TierWrite.Outcome) throws -> Bool {
    if let error = result.error, let failure = writeFailure(write.key, error) { throw failure }
    return result.isDone
  }

  /// Writes and removes records, each unless it has been superseded by the time its turn comes.
  ///
  /// - Returns: the errors of those that failed under ``TierFaultPolicy/fail``.
  func write(_ writes: [TierWrite]) async -> [CacheKey: any Error] {
    var failures: [CacheKey: any Error] = [:]
    for (write, result) in zip(writes, await perform(writes)) where write.isSet {
      failures[write.key] = result.error.flatMap { writeFailure(write.key, $0) }
    }
    return failures
  }

  /// Removes a record, after every older write of its key.
  ///
  /// - Throws: when it may still be there; a tombstone keeps it from being served.
  func remove(_ key: CacheKey) async throws {
    let result = await perform([TierWrite(key: key, change: .remove)])[0]
    if let error = result.error { throw removalFailure(key, error) }
  }

  /// Removes a record on the calling thread; a tier that suspends queues it behind a tombstone.
  func removeBlocking(_ key: CacheKey) throws {
    let write = TierWrite(key: key, change: .remove)
    let result = performBlocking([write])?[0] ?? queue(write)
    if let error = result.error { throw removalFailure(key, error) }
  }

  /// Removes the older record of a value that is not written here, unless it was superseded.
  func drop(_ key: CacheKey, unless isSuperseded: @escaping @Sendable () -> Bool) async {
    _ = await perform([TierWrite(key: key, change: .remove, isSuperseded: isSuperseded)])
  }

  /// The same on the calling thread.
  func dropBlocking(_ key: CacheKey, unless isSuperseded: @escaping @Sendable () -> Bool) {
    let write = TierWrite(key: key, change: .remove, isSuperseded: isSuperseded)
    if performBlocking([write]) == nil { _ = queue(write) }
  }

  /// Makes a record expired from now on, or removes it when it is kept no longer.
  ///
  /// - Throws: when it may still be fresh; a tombstone keeps it from being served.
  func expire(_ key: CacheKey, _ expiry: HandExpiry) async throws {
    let write = TierWrite(
      key: key,
      change: .edit { entry, mark in
        guard var expired = expiry.applied(to: entry) else { return .remove }
        expired.metadata.loadMark = mark
        return .replace(expired)
      }
    )
    if let error = await perform([write])[0].error { throw removalFailure(key, error) }
  }

  /// Removes a record that cannot be used, unless it has been replaced since it was read.
  func discard(_ entry: CacheEntry, _ key: CacheKey) async {
    _ = await perform([TierWrite(key: key, change: .discard(entry), onFailure: .report)])
  }

  /// The same on the calling thread.
  func discardBlocking(_ entry: CacheEntry, _ key: CacheKey) {
    _ = performBlocking([TierWrite(key: key, change: .discard(entry), onFailure: .report)])
  }

  // MARK: Many keys

  /// Does something to the records that the store finds, after every older write.
  ///
  /// - Throws: when some may be unchanged; a barrier keeps them from being served.
  func perform(_ sweep: TierSweep) async throws {
    do {
      let operation = try begin(sweep.kind)
      defer { operations.end(operation) }
      if let blocking {
        try await call(operation) { [self] in
          try await blocking.onStoreThread { [self] in try run(sweep, blocking, operation) }
        }
      } else {
        try await queue.drain(for: operation)
        try await run(sweep, operation)
      }
    } catch {
      throw failed(sweep, error)
    }
    repeatFailed()
  }

  /// The same on the calling thread; a tier that suspends queues it behind a barrier.
  func performBlocking(_ sweep: TierSweep) throws {
    if let blocking {
      do {
        let operation = try operations.begin(sweep.kind)
        defer { operations.end(operation) }
        try run(sweep, blocking, operation)
      } catch {
        throw failed(sweep, error)
      }
      return repeatFailed()
    }
    let token = tombstones.putBarrier(sweep, wall: newestWall, isQueued: true)
    do {
      try queueWork(sweep.kind) { [self] operation in
        do {
          try await run(sweep, queued: token, operation)
          tombstones.lift(token)
        } catch {
          tombstones.fail(token)
          report(.removalFailed, nil, error)
        }
      }
    } catch {
      defer { tombstones.lift(token) }
      throw failed(sweep, error)
    }
  }

  private func failed(_ sweep: TierSweep, _ error: any Error) -> CacheError {
    if operations.isClosing, let error = error as? CacheError, error.code == .closed {
      return error
    }
    tombstones.putBarrier(sweep, wall: newestWall)
    report(.removalFailed, nil, error)
    return removalFailure(nil, error)
  }
}
