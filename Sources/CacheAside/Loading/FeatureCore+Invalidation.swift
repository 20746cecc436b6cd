extension FeatureCore {
  /// Marks the loads of a key in every table and removes it from their memory.
  ///
  /// - Parameters:
  ///   - storeKey: the key in its namespace.
  ///   - origin: the table that was asked; it knows its own key.
  ///   - key: that key.
  func invalidateInMemory<Key, Value>(
    _ storeKey: CacheKey,
    from origin: Cache<Key, Value>,
    _ key: Key
  ) {
    origin.invalidateTyped(key)
    for table in tables(for: storeKey) where table !== origin { table.invalidate(storeKey) }
  }

  /// The same, making it expired instead.
  func expireInMemory<Key, Value>(
    _ storeKey: CacheKey,
    from origin: Cache<Key, Value>,
    _ key: Key,
    _ expiry: HandExpiry
  ) {
    origin.expireTyped(key, expiry)
    for table in tables(for: storeKey) where table !== origin {
      table.expireInMemory(storeKey, expiry)
    }
  }

  /// What expiring by hand means in this feature, now.
  var handExpiry: HandExpiry {
    HandExpiry(
      now: now,
      staleIfError: terms.windows.ifError,
      keepExpired: (terms.fields.keepExpired ?? .zero).nanoseconds
    )
  }

  /// Takes a key through a change of every tier: memory first, then the others, behind a barrier.
  ///
  /// Loads and promotions that begin meanwhile may have read the old value; they are closed before
  /// the barrier comes down.
  nonisolated(nonsending) func change(
    _ storeKey: CacheKey,
    inMemory: () -> Void,
    inTiers: () async throws -> Void
  ) async throws {
    guard hasTiers else { return inMemory() }
    barriers.raise(storeKey)
    defer {
      for table in tables(for: storeKey) { table.closeReaders(storeKey) }
      barriers.lower(storeKey)
    }
    inMemory()
    try await inTiers()
  }

  /// The same on the calling thread.
  func changeBlocking(
    _ storeKey: CacheKey,
    inMemory: () -> Void,
    inTiers: () throws -> Void
  ) throws {
    guard hasTiers else { return inMemory() }
    barriers.raise(storeKey)
    defer {
      for table in tables(for: storeKey) { table.closeReaders(storeKey) }
      barriers.lower(storeKey)
    }
    inMemory()
    try inTiers()
  }

  /// Removes a key from every slower tier, and tells the first failure after all were tried.
  func removeFromTiers(_ storeKey: CacheKey) async throws {
    var failure: (any Error)?
    for tier in tiers {
      do { try await tier.remove(storeKey) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Makes a key expired in every slower tier.
  func expireInTiers(_ storeKey: CacheKey, _ expiry: HandExpiry) async throws {
    var failure: (any Error)?
    for tier in tiers {
      do { try await tier.expire(storeKey, expiry) } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Removes everything of the feature.
  func removeAll(erasing: Bool = false) async throws {
    try await performing(changeNote("remove", about: .all)) {
      try await removing(erasing) { try await removeEverything() }
    }
  }

  /// Keeps the removal listeners from being told before a clear is through: what they store stays.
  ///
  /// - Returns: the tables, for ``releaseNotices(_:)``.
  func holdNotices() -> [any CacheTable] {
    let tables = tables
    for table in tables { table.holdNotices() }
    return tables
  }

  /// Tells the removal listeners what was removed meanwhile.
  func releaseNotices(_ tables: [any CacheTable]) {
    for table in tables { table.releaseNotices() }
  }

  /// Removes, and erases what the stores have removed only logically, also when a part of it failed.
  nonisolated(nonsending) func removing(
    _ erases: Bool,
    _ removal: () async throws -> Void
  ) async throws {
    guard erases else { return try await removal() }
    var failure: (any Error)?
    do { try await removal() } catch { failure = error }
    do { try await flush() } catch { failure = failure ?? error }
    if let failure { throw failure }
  }

  /// The same as a part of another verb.
  func removeEverything() async throws {
    let told = holdNotices()
    defer { releaseNotices(told) }
    barriers.raiseAll()
    defer {
      for table in tables { table.invalidateAll() }
      barriers.lowerAll()
    }
    for table in tables { table.invalidateAll() }
    var failure: (any Error)?
    for tier in tiers {
      do { try await tier.perform(.clear(namespace)) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Removes what has expired from every table's memory, kept or not.
  func removeExpiredFromMemory() -> Int {
    let now = time.precise
    return tables.reduce(0) { $0 + $1.removeExpiredFromMemory(now: now) }
  }

  /// Removes what has expired from memory and every slower tier, kept or not.
  func removeExpired() async throws -> Int {
    try checkOpen()
    var count = removeExpiredFromMemory()
    for tier in tiers {
      do {
        count += try await tier.removeExpired()
      } catch let error as CancellationError where Task.isCancelled {
        throw error
      } catch {
        tier.report(.removalFailed, nil, error)
      }
    }
    return count
  }
}
