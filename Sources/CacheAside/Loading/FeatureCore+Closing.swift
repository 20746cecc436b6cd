import Synchronization

// The end of a feature: what was promised is kept first, and then nothing is written any more.
//
// All verbs but loads pass `performing` or `checkOpen`, which refuse them once `close` has begun. Those that
// have begun are awaited with their writes; loads go on for those who wait for them, and are not
// stored: their operations in a store that have begun are awaited by its tier, later ones are refused.
// At the deadline what is left is cancelled, and whoever waits for it learns that it was cut off. Only
// then are stores flushed, which erases what was removed, and closed.

extension FeatureCore {
  /// Whether stores stand behind the memory tables and may still be used.
  var usesTiers: Bool { hasTiers && !isClosed }

  /// Refuses a verb once `close` has begun.
  func checkOpen(_ key: @autoclosure () -> CacheKey? = nil) throws {
    if isClosed { throw closedError(key()) }
  }

  /// Reports that a verb which cannot throw was refused.
  ///
  /// - Returns: whether the feature is closed.
  func reportIfClosed(_ kind: CacheEvent.Kind, _ key: @autoclosure () -> CacheKey? = nil) -> Bool {
    guard isClosed else { return false }
    let key = key()
    report(kind, key: key, error: closedError(key))
    return true
  }

  func closedError(_ key: CacheKey?) -> CacheError {
    CacheError(
      .closed,
      "the cache \"\(name)\" was closed; nothing was read or changed, only loads still run",
      key: key
    )
  }

  /// Says so when `close` could not wait for the verb that ends now.
  func checkCompleted() throws {
    guard isCutOff.load(ordering: .acquiring) else { return }
    throw CacheError(
      .closed,
      "the cache \"\(name)\" was closed before this could end; the stores may not have it"
    )
  }

  /// Waits until everything written behind has reached its store, and erases what was removed.
  ///
  /// - Throws: the first failure of a tier, also one that refuses it, after all were asked.
  func flush() async throws {
    var failure: (any Error)?
    for tier in tiers {
      do { try await tier.flush() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Ends the feature; a later call waits for the first, and throws what that has thrown.
  ///
  /// - Parameter limit: how long it may wait for what has begun; for a later call, how long for the first.
  /// - Throws: what had not ended in time; else the first failure of a store.
  func close(within limit: Window?) async throws {
    let deadline = limit.map { Lifetime.sum(time.precise, $0.nanoseconds) } ?? .max
    let isFirst = !closed.exchange(true, ordering: .sequentiallyConsistent)
    if isFirst {
      do { try await close(until: deadline) } catch { closingFailure.withLock { $0 = error } }
      ended.open()
    } else if await !ended.wait(until: deadline, time) {
      throw stillClosing()
    }
    if let failure = closingFailure.withLock({ $0 }) { throw failure }
  }

  /// What a later call throws whose time is over before the first has ended.
  private func stillClosing() -> CacheError {
    let unfinished = tiers.flatMap(\.unfinished)
    let work = unfinished.isEmpty ? "what has begun" : unfinished.joined(separator: ", ")
    return CacheError(
      .timedOut,
      "the cache \"\(name)\" is still being closed by an earlier call, which waits for: " + work
    )
  }

  private func close(until deadline: Int64) async throws {
    for table in tables {
      table.giveUpUnobserved()
      table.closeAllReaders()
    }
    if await !verbs.finish(within: remaining(until: deadline), time) {
      isCutOff.store(true, ordering: .releasing)
    }
    var left: [String] = []
    var failure: (any Error)?
    for tier in tiers {
      let unfinished = await tier.finish(within: remaining(until: deadline))
      left += unfinished
      do {
        if try await !close(tier.store, flushing: unfinished.isEmpty, until: deadline) {
          left.append("closing of the store \"\(tier.name)\"")
        }
      } catch {
        failure = failure ?? error
      }
    }
    for table in tables { table.invalidateAll() }
    endSweeping()
    events.finish()
    if !left.isEmpty {
      throw CacheError(
        .timedOut,
        "the cache \"\(name)\" was closed before this had ended, and may still be written by it: "
          + left.joined(separator: ", "),
        cause: failure
      )
    }
    if let failure { throw failure }
  }

  private func remaining(until deadline: Int64) -> Int64? {
    deadline == .max ? nil : max(0, deadline - time.precise)
  }

  /// Flushes and closes a store; returns whether that ended in time, else it is cancelled.
  private func close(
    _ store: any CacheStore,
    flushing: Bool,
    until deadline: Int64
  ) async throws -> Bool {
    let failure = Lock<(any Error)?>(nil)
    let work = WorkGate()
    _ = work.begin()
    let task = time.startTask(inheritsContext: false) {
      defer { work.end() }
      do { if flushing { try await store.flush() } } catch { failure.withLock { $0 = error } }
      await store.close()
    }
    let isDone = await work.finish(within: remaining(until: deadline), time)
    if !isDone { task.cancel() }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return isDone
  }
}
