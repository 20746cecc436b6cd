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
    for table in tables where table !== origin { table.invalidate(storeKey) }
  }

  /// The same, making it expired instead.
  func expireInMemory<Key, Value>(
    _ storeKey: CacheKey,
    from origin: Cache<Key, Value>,
    _ key: Key,
    now: Int64
  ) {
    origin.expireTyped(key, now: now)
    for table in tables where table !== origin { table.expireInMemory(storeKey, now: now) }
  }

  /// Removes a key from every slower tier, and tells the first failure after all were tried.
  ///
  /// Slowest first, and after each the loads and the memory once more: whoever registered since and
  /// read the old record there must not put it into a faster tier.
  ///
  /// - Parameters:
  ///   - storeKey: the key in its namespace.
  ///   - invalidate: marks the loads and removes from memory.
  /// - Throws: the first failure.
  func removeFromTiers(_ storeKey: CacheKey, invalidate: () -> Void) async throws {
    var failure: (any Error)?
    for tier in tiers.reversed() {
      do { try await tier.remove(storeKey) } catch { failure = failure ?? error }
      invalidate()
    }
    if let failure { throw failure }
  }

  /// Makes a key expired in every slower tier, as ``removeFromTiers(_:invalidate:)`` removes it.
  func expireInTiers(_ storeKey: CacheKey, wall: Int64, expire: () -> Void) async throws {
    let kept = Lifetime(remaining: (policy.keepExpired ?? .zero).nanoseconds).freshUntil(from: wall)
    var failure: (any Error)?
    for tier in tiers.reversed() {
      do { try await tier.expire(storeKey, wall: wall, keptUntil: kept) } catch {
        failure = failure ?? error
      }
      expire()
    }
    if let failure { throw failure }
  }

  /// Removes everything of the feature.
  func removeAll() async throws {
    for table in tables { table.invalidateAll() }
    var failure: (any Error)?
    for tier in tiers.reversed() {
      do { try await tier.removeAll(in: namespace) } catch { failure = failure ?? error }
      for table in tables { table.invalidateAll() }
    }
    if let failure { throw failure }
  }

  /// Removes what is kept no longer from every slower tier.
  func removeExpiredFromTiers() async throws -> Int {
    var count = 0
    for tier in tiers {
      do { count += try await tier.store.removeExpired(includingKept: true) } catch let error
        as CancellationError
      {
        throw error
      } catch {
        tier.report(.removalFailed, nil, error)
      }
    }
    return count
  }
}
