// Several keys in one operation. A store that blocks does it all in one visit to its threads, each key
// behind its own gate; one that suspends gets one operation behind the gates of all its keys.

/// What a tier does to one of several keys.
struct TierWrite: Sendable {
  let key: CacheKey
  /// The record to write; `nil` removes the older one.
  let entry: CacheEntry?
  /// Where the tier's invalidations stood when the load began.
  let mark: LoadMark?
  let isSuperseded: @Sendable () -> Bool
  /// The call that it is done for, under a trace.
  var note: CallNote?
}

extension Tier {
  /// Reads records of any age; what must not be served is absent.
  ///
  /// - Throws: only under ``TierFaultPolicy/fail``, or when the caller was cancelled.
  func read(_ keys: [CacheKey]) async throws -> [CacheKey: CacheEntry] {
    var asked: [CacheKey] = []
    for key in keys {
      if tombstones.covers(key), await !retryRemoval(key) { continue }
      asked.append(key)
    }
    guard let first = asked.first else { return [:] }
    var entries: [CacheKey: CacheEntry] = [:]
    do {
      for (key, entry) in try await store.entries(for: asked) {
        entries[key] = admitted(entry, key)
      }
    } catch let error as CancellationError where Task.isCancelled {
      throw error
    } catch {
      guard blocking != nil else {
        try readFailed(first, error)
        return [:]
      }
      // One file that cannot be read must not hide the others.
      for key in asked { entries[key] = try await read(key) }
    }
    return entries
  }

  /// Writes and removes records, each unless it has been superseded by the time its turn comes.
  ///
  /// - Returns: the errors of those that failed under ``TierFaultPolicy/fail``.
  func write(_ writes: [TierWrite]) async -> [CacheKey: any Error] {
    var failures: [CacheKey: any Error] = [:]
    guard let first = writes.first else { return [:] }
    guard let operation = try? operations.begin(.write, first.key, count: writes.count) else {
      return [:]
    }
    defer { operations.end(operation) }
    let failed = blocking == nil ? await writeSuspending(writes) : await inGates(writes)
    for write in writes where write.entry != nil {
      guard let note = write.note else { continue }
      let hasFailed = failed.contains { $0.0.key == write.key }
      note.stores(in: name, !hasFailed && !write.isSuperseded())
    }
    for (write, error) in failed {
      if write.entry == nil {
        tombstones.put(write.key, wall: newestWall, unless: write.isSuperseded)
        report(.removalFailed, write.key, error)
      } else {
        do { try writeFailed(write.key, error) } catch { failures[write.key] = error }
      }
    }
    return failures
  }

  private func inGates(_ writes: [TierWrite]) async -> [(TierWrite, any Error)] {
    guard let blocking else { return [] }
    do {
      return try await blocking.onStoreThread { [self] in
        var failures: [(TierWrite, any Error)] = []
        for write in writes {
          do {
            if let entry = write.entry {
              _ = try writeInGate(
                blocking,
                entry,
                write.key,
                begun: write.mark,
                unless: write.isSuperseded
              )
            } else {
              try dropInGate(blocking, write.key, unless: write.isSuperseded)
            }
          } catch { failures.append((write, error)) }
        }
        return failures
      }
    } catch {
      return writes.map { ($0, error) }
    }
  }

  private func writeSuspending(_ writes: [TierWrite]) async -> [(TierWrite, any Error)] {
    if !queue.isIdle { await queue.drain() }
    return await asyncGate.withGates(writes.map(\.key.stripe)) { [self] in
      let open = writes.filter { !$0.isSuperseded() }
      let entries = open.compactMap { write in
        write.entry.map { (key: write.key, entry: prepared($0, write.mark)) }
      }
      let (rejected, failure) = await RejectedWrites.collect { rejected in
        do { if !entries.isEmpty { try await store.set(entries) } } catch {
          return (rejected, error as (any Error)?)
        }
        return (rejected, nil)
      }
      var failures: [(TierWrite, any Error)] = []
      for write in open {
        if write.entry != nil, let failure {
          await dropOlder(write.key, unless: write.isSuperseded)
          failures.append((write, failure))
          continue
        }
        do {
          if write.entry == nil { try await store.remove(write.key) }
          // A synchronous call may have put a stone meanwhile: then the write is superseded.
          tombstones.lift(write.key, unless: write.isSuperseded)
          if write.entry != nil { try refuse(rejected, write.key) }
        } catch { failures.append((write, error)) }
      }
      return failures
    }
  }
}
