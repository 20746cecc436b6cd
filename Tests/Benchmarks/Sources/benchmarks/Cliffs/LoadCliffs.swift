import CacheAside

/// Many loads at once.
enum LoadCliffs {
  /// Loads that wait for four places.
  @Sendable
  static func queue(_ count: Int) async throws -> Duration {
    var policy = CachePolicy()
    policy.maximumConcurrentLoads = 4
    let cache = try Cache<Int, Int>(name: "queue", policy: policy) { Memory(.count(2 * count)) }
    let gate = Gate()
    return try await loads(count, cache) {
      await gate.wait()
    } then: {
      gate.open()
    }
  }

  /// Loads that have a limit and end before it.
  @Sendable
  static func limits(_ count: Int) async throws -> Duration {
    var policy = CachePolicy()
    policy.abandonAfter = .seconds(20)
    policy.hardTimeout = .seconds(10)
    let cache = try Cache<Int, Int>(name: "limits", policy: policy) { Memory(.count(2 * count)) }
    let gate = Gate()
    return try await loads(count, cache) {
      await gate.wait()
    } then: {
      gate.open()
    }
  }

  private static func loads(
    _ count: Int,
    _ cache: Cache<Int, Int>,
    _ wait: @escaping @Sendable () async -> Void,
    then open: @escaping @Sendable () -> Void
  ) async throws -> Duration {
    let start = ContinuousClock.now
    let watcher = Task {
      while cache.statistics.waiters < count { try await Task.sleep(for: .milliseconds(1)) }
      open()
    }
    // No task group: the runtime looks for a child that ends in a list of all of them.
    let callers = (0..<count).map { key in
      Task {
        _ = try await cache.cached(key) {
          await wait()
          return key
        }
      }
    }
    for caller in callers { try await caller.value }
    try await watcher.value
    return .now - start
  }

  /// Batches of a hundred keys each, all under way at the same time.
  @Sendable
  static func batches(_ count: Int) async throws -> Duration {
    let gate = Gate()
    let feature = try Caches { Feature("batches") { Memory(.count(200 * count)) } }["batches"]
    let users = feature.cachedBatch(key: { "user/\($0)" }) { (ids: [Int]) in
      await gate.wait()
      return Dictionary(uniqueKeysWithValues: ids.map { ($0, $0) })
    }
    let start = ContinuousClock.now
    let watcher = Task {
      while gate.count < count { try await Task.sleep(for: .milliseconds(1)) }
      gate.open()
    }
    let callers = (0..<count).map { batch in
      Task { _ = try await users(Array(batch * 100..<batch * 100 + 100)) }
    }
    for caller in callers { try await caller.value }
    try await watcher.value
    return .now - start
  }
}
