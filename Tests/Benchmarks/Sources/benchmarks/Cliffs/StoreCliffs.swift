import CacheAside

/// Reads and removals of a slower store while much is going on.
enum StoreCliffs {
  /// Readers of one key, all of them while the store is slow.
  @Sendable
  static func readers(_ count: Int) async throws -> Duration {
    let store = CliffStore()
    let cache = try Cache<Int, Int>(name: "readers") {
      Memory()
      Store(store)
    }
    try await cache.set(7, for: 1)
    try await cache.flush()
    store.answer(after: .milliseconds(200))
    cache.removeAllFromMemory()
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<count { group.addTask { try await cache.value(for: 1) } }
      for try await value in group where value != 7 { throw BenchmarkFailure("a wrong value") }
    }
    return .now - start
  }

  /// The removal of a key while another table of the feature holds entries.
  @Sendable
  static func removalBesideEntries(_ count: Int) async throws -> Duration {
    let feature = try Caches {
      Feature("removals") {
        Memory()
        Store(CliffStore())
      }
    }["removals"]
    let sibling = feature.cached("sibling") { (key: Int) in "\(key)" }
    for key in 0..<count { _ = try await sibling(key) }
    return try await ContinuousClock.each(of: 20) {
      for key in 0..<20 { try await feature.remove(sibling.key(for: key)) }
    }
  }

  /// The removal of a key while other keys are being loaded.
  @Sendable
  static func removalBesideLoads(_ count: Int) async throws -> Duration {
    let feature = try Caches {
      Feature("removals") {
        Memory()
        Store(CliffStore())
      }
    }["removals"]
    let gate = Gate()
    let sibling = feature.cached("sibling") { (key: Int) in
      await gate.wait()
      return "\(key)"
    }
    let loads = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for key in 0..<count { group.addTask { _ = try await sibling(key) } }
        try await group.waitForAll()
      }
    }
    while gate.count < count { try await Task.sleep(for: .milliseconds(1)) }
    let figure = try await ContinuousClock.each(of: 20) {
      for key in 0..<20 { try await feature.remove(sibling.key(for: key)) }
    }
    gate.open()
    try await loads.value
    return figure
  }

  /// A read of the store after removals by tag, each of a tag of its own.
  @Sendable
  static func readAfterTagRemovals(_ count: Int) async throws -> Duration {
    let cache = try Cache<Int, Int>(name: "barriers") {
      Memory()
      Store(CliffStore())
    }
    for key in 0..<50 { try await cache.set(key, for: key) }
    for number in 0..<count { try cache.removeBlocking(.tag("tag\(number)")) }
    try await cache.flush()
    return try await reads(cache)
  }

  /// A read of the store after removals by scope that failed and were repeated with success.
  @Sendable
  static func readAfterFailedScopeRemovals(_ count: Int) async throws -> Duration {
    let store = CliffStore()
    let cache = try Cache<Int, Int>(name: "scopes") {
      Memory()
      Store(store)
    }
    for key in 0..<50 { try await cache.set(key, for: key) }
    for number in 0..<count {
      let scope = CacheSelector.namespace(["user": "\(number)"])
      store.failRemovals(true)
      try? await cache.remove(scope)
      store.failRemovals(false)
      try await cache.remove(scope)
    }
    return try await reads(cache)
  }

  /// Fifty reads of the store.
  private static func reads(_ cache: Cache<Int, Int>) async throws -> Duration {
    cache.removeAllFromMemory()
    return try await ContinuousClock.each(of: 50) {
      for key in 0..<50 where try await cache.value(for: key) != key {
        throw BenchmarkFailure("the store's value is not found")
      }
    }
  }
}
