// The one way to a store's records: no other file calls it for them. There are two interpreters of
// the same small language (`TierWrite`, `TierSweep`), one for stores that suspend and one for those
// that block a thread; what both have to check and to clean up stands once, in `Tier+Rules`.
//
// A writer checks inside the gate whether it was superseded, and an invalidation marks it before it
// enters. So either the write is over when the removal runs, or the writer sees the mark and writes
// nothing: an acknowledged removal comes after every older write. A call that was given up leaves the
// gate while it may still arrive; its key is held (`Tombstones`) until it has ended.

extension Tier {
  // MARK: Calls

  /// Calls a store that suspends, or waits for a thread of one that blocks, no longer than the
  /// operation may take.
  ///
  /// - Parameters:
  ///   - operation: what the call belongs to.
  ///   - keys: the keys that it writes.
  ///   - body: the call.
  /// - Returns: what the store answered.
  /// - Throws: what it threw, and why the operation was given up.
  func call<Result: Sendable>(
    _ operation: TierOperation,
    writing keys: [CacheKey] = [],
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    if blocking != nil, operation.deadline == nil { return try await body() }
    let call = StoreCall()
    return try await withTaskCancellationHandler {
      do {
        return try await operation.wait(onGivenUp: call.cancel) { promise in
          operation.addPart()
          WorkLog.count(.storeCall)
          call.run(time) { [self] in
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            let wasHeld = call.end()
            promise.finish(result)
            if wasHeld { writeEnded(keys) }
            operations.end(operation)
          }
        }
      } catch {
        // Before the gate is left: what may still arrive must not be served.
        if operation.failure != nil, !keys.isEmpty {
          call.ifRunning { for key in keys { tombstones.hold(key, wall: newestWall) } }
        }
        throw error
      }
    } onCancel: {
      call.cancel()
    }
  }

  // MARK: Reading

  /// Reads records; one that cannot be read does not hide the others of a store that blocks.
  func fetch(
    _ keys: [CacheKey],
    _ operation: TierOperation
  ) async -> [Result<CacheEntry?, any Error>] {
    do {
      if let key = keys.first, keys.count == 1 {
        return [.success(try await call(operation) { [store] in try await store.entry(for: key) })]
      }
      let entries = try await call(operation) { [store] in try await store.entries(for: keys) }
      return keys.map { .success(entries[$0]) }
    } catch {
      guard blocking != nil, keys.count > 1, operation.failure == nil, !Task.isCancelled else {
        return keys.map { _ in .failure(error) }
      }
      var results: [Result<CacheEntry?, any Error>] = []
      for key in keys { results += await fetch([key], operation) }
      return results
    }
  }

  /// The same on the calling thread.
  func fetch(
    _ keys: [CacheKey],
    _ blocking: any BlockingCacheStore
  ) -> [Result<CacheEntry?, any Error>] {
    keys.map { key in Result { try blocking.entryBlocking(for: key) } }
  }

  /// Lists the records of a namespace that may be served.
  func scan<Selected: Sendable>(
    _ namespace: Namespace,
    _ operation: TierOperation,
    _ select: @escaping @Sendable (CacheKey, CacheEntry) -> Selected?
  ) async throws -> [Selected] {
    try await call(operation) { [store] in
      var found: [Selected] = []
      try await store.scan(namespace) { key, entry in
        if let one = select(key, entry) { found.append(one) }
        return true
      }
      return found
    }
  }

  /// The same on the calling thread.
  func scan<Selected>(
    _ namespace: Namespace,
    _ blocking: any BlockingCacheStore,
    _ select: (CacheKey, CacheEntry) -> Selected?
  ) throws -> [Selected] {
    var found: [Selected] = []
    try blocking.scanBlocking(namespace) { key, entry in
      if let one = select(key, entry) { found.append(one) }
      return true
    }
    return found
  }

  // MARK: Writing

  /// Does something to keys, each behind its gate, in a store that suspends.
  func run(_ writes: [TierWrite], _ operation: TierOperation) async -> [TierWrite.Outcome] {
    do {
      return try await asyncGate.withGates(writes.map(\.key.stripe), operation) {
        let token = tombstones.newest
        var results = writes.map { begin($0) }
        let sets = writes.indices.filter { results[$0] == nil && writes[$0].isSet }
        if !sets.isEmpty {
          let (failure, rejected) = await set(sets.map { writes[$0] }, operation)
          for index in sets {
            let failure = failure ?? rejection(rejected, writes[index].key)
            results[index] = await settle(writes[index], failure, token, operation)
          }
        }
        for index in writes.indices where results[index] == nil {
          var failure: (any Error)?
          do { try await change(writes[index], operation) } catch { failure = error }
          results[index] = await settle(writes[index], failure, token, operation)
        }
        return results.map { $0 ?? .superseded }
      }
    } catch {
      // Given up before its turn came: nothing was done.
      return writes.map { fail($0, error) }
    }
  }

  /// Writes records; what the store rejects as too large is only asked for under the policy `.fail`.
  private func set(
    _ writes: [TierWrite],
    _ operation: TierOperation
  ) async -> (failure: (any Error)?, rejected: RejectedWrites?) {
    guard faultPolicy == .fail else { return (await setAll(writes, operation), nil) }
    return await RejectedWrites.collect { (await setAll(writes, operation), $0) }
  }

  private func setAll(_ writes: [TierWrite], _ operation: TierOperation) async -> (any Error)? {
    let records = writes.compactMap { write -> (key: CacheKey, entry: CacheEntry)? in
      guard case .set(let entry, let mark) = write.change else { return nil }
      return (write.key, prepared(entry, mark))
    }
    do {
      try await call(operation, writing: records.map(\.key)) { [store] in
        if let record = records.first, records.count == 1 {
          try await store.set(record.entry, for: record.key)
        } else {
          try await store.set(records)
        }
      }
      return nil
    } catch {
      return error
    }
  }

  private func change(_ write: TierWrite, _ operation: TierOperation) async throws {
    let key = write.key
    switch write.change {
    case .set: break
    case .remove: try await call(operation) { [store] in try await store.remove(key) }
    case .discard(let entry):
      // A store that compares and deletes in two steps must not meet a write in between.
      _ = try await call(operation) { [store] in try await store.remove(key, ifUnchanged: entry) }
    case .edit(let edit):
      var mark = store.loadMark
      var entry = try await call(operation) { [store] in try await store.entry(for: key) }
      if mark != store.loadMark {
        // It has looked at its invalidations, perhaps for the first time.
        mark = store.loadMark
        entry = try await call(operation) { [store] in try await store.entry(for: key) }
      }
      guard let entry else { return }
      switch edited(entry, write, edit, mark) {
      case .keep: break
      case .remove: try await call(operation) { [store] in try await store.remove(key) }
      case .replace(let entry):
        try await call(operation, writing: [key]) { [store] in
          try await store.set(entry, for: key)
        }
      }
    }
  }

  private func settle(
    _ write: TierWrite,
    _ failure: (any Error)?,
    _ token: UInt64,
    _ operation: TierOperation
  ) async -> TierWrite.Outcome {
    guard let failure else { return succeed(write, token) }
    guard write.isSet else { return fail(write, failure) }
    // The older record must not be served over the value that could not be written.
    let key = write.key
    do {
      try await call(operation) { [store] in try await store.remove(key) }
      return fail(write, failure, gone: token)
    } catch {
      report(.removalFailed, key, error)
      return fail(write, failure)
    }
  }

  /// The same on the calling thread, in a store that blocks it.
  func run(
    _ writes: [TierWrite],
    _ blocking: any BlockingCacheStore,
    _ operation: TierOperation
  ) -> [TierWrite.Outcome] {
    writes.map { write in
      gate.withGate(write.key.stripe) {
        if let failure = operation.failure {
          // Whoever waited has reported it.
          tombstones.put(write.key, wall: newestWall, write.stone, unless: write.isSuperseded)
          return .failed(failure)
        }
        if let result = begin(write) { return result }
        let token = tombstones.newest
        do { try changeUnlessRejected(write, blocking) } catch {
          guard write.isSet else { return fail(write, error) }
          do {
            try blocking.removeBlocking(write.key)
            return fail(write, error, gone: token)
          } catch let older {
            report(.removalFailed, write.key, older)
            return fail(write, error)
          }
        }
        return succeed(write, token)
      }
    }
  }

  private func changeUnlessRejected(
    _ write: TierWrite,
    _ blocking: any BlockingCacheStore
  ) throws {
    guard write.isSet, faultPolicy == .fail else { return try change(write, blocking) }
    try RejectedWrites.collect { rejected in
      try change(write, blocking)
      if let error = rejection(rejected, write.key) { throw error }
    }
  }

  private func change(_ write: TierWrite, _ blocking: any BlockingCacheStore) throws {
    let key = write.key
    switch write.change {
    case .set(let entry, let mark): try blocking.setBlocking(prepared(entry, mark), for: key)
    case .remove: try blocking.removeBlocking(key)
    case .discard(let entry): try blocking.removeBlocking(key, ifUnchanged: entry)
    case .edit(let edit):
      var mark = blocking.loadMark
      var entry = try blocking.entryBlocking(for: key)
      if mark != blocking.loadMark {
        mark = blocking.loadMark
        entry = try blocking.entryBlocking(for: key)
      }
      guard let entry else { return }
      switch edited(entry, write, edit, mark) {
      case .keep: break
      case .remove: try blocking.removeBlocking(key)
      case .replace(let entry): try blocking.setBlocking(entry, for: key)
      }
    }
  }

  // MARK: Sweeping

  /// Does something to the records that a store that suspends finds, after every older write.
  ///
  /// - Parameters:
  ///   - sweep: what is done.
  ///   - queued: the token of its barrier, if it was queued.
  ///   - operation: what it belongs to.
  /// - Throws: when some records may be unchanged.
  func run(
    _ sweep: TierSweep,
    queued: UInt64? = nil,
    _ operation: TierOperation
  ) async throws {
    // What passed its check already is inside a gate.
    try await asyncGate.passAll(operation)
    let token = queued ?? tombstones.newest
    switch plan(sweep) {
    case .clear(let namespace):
      try await call(operation) { [store] in try await store.removeAll(in: namespace) }
    case .invalidate(let invalidation):
      try await call(operation) { [store] in try await store.invalidate(invalidation) }
    case .change(let namespace, let isSelected, let change):
      let records = try await scan(namespace, operation) { key, entry in
        isSelected(key, entry) ? (key, entry.hashValue) : nil
      }
      for (key, fingerprint) in records {
        let write = Self.edit(key, fingerprint, change)
        if let error = await run([write], operation).first?.error { throw error }
      }
    }
    tombstones.lift(sweep, upTo: token)
  }

  /// The same on the calling thread, in a store that blocks it.
  func run(
    _ sweep: TierSweep,
    _ blocking: any BlockingCacheStore,
    _ operation: TierOperation
  ) throws {
    gate.passAll()
    let token = tombstones.newest
    switch plan(sweep) {
    case .clear(let namespace): try blocking.removeAllBlocking(in: namespace)
    case .invalidate(let invalidation): try blocking.invalidateBlocking(invalidation)
    case .change(let namespace, let isSelected, let change):
      let records = try scan(namespace, blocking) { key, entry in
        isSelected(key, entry) ? (key, entry.hashValue) : nil
      }
      for (key, fingerprint) in records {
        let write = Self.edit(key, fingerprint, change)
        if let error = run([write], blocking, operation).first?.error { throw error }
      }
    }
    tombstones.lift(sweep, upTo: token)
  }

  /// Removes what has expired; nothing in it can be served, so it needs no gate.
  func removeExpired() async throws -> Int {
    let operation = try begin(.listing)
    defer { operations.end(operation) }
    return try await call(operation) { [store] in
      try await store.removeExpired(includingKept: true)
    }
  }

  /// The same on the calling thread; a tier that suspends is passed over.
  func removeExpiredBlocking() throws -> Int {
    guard let blocking else { return 0 }
    let operation = try operations.begin(.listing)
    defer { operations.end(operation) }
    return try blocking.removeExpiredBlocking(includingKept: true)
  }

  /// The record of a key and the store's own invalidation of it, for an explanation: nothing is
  /// counted or repeated.
  func look(_ key: CacheKey) async throws -> (record: CacheEntry?, by: StoreInvalidation?) {
    let operation = try begin(.read, key)
    defer { operations.end(operation) }
    return try await call(operation) { [store] in
      // Before the read, which may take a record out that was invalidated.
      let invalidation = try await store.invalidation(of: key)
      return (try await store.entry(for: key), invalidation)
    }
  }
}
