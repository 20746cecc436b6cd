import CacheAside

/// Many callers in one group.
struct Crowd {
  let callers: Int

  /// Milliseconds until every caller has returned the number that it was expected to return.
  @discardableResult
  func run(
    _ name: String,
    expecting total: Int,
    _ body: @escaping @Sendable (Int) async -> Int
  ) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    let sum = await withTaskGroup(of: Int.self) { group in
      for index in 0..<callers { group.addTask { await body(index) } }
      return await group.reduce(0) { $0 &+ $1 }
    }
    guard sum == total else { throw BenchmarkFailure("\(name): wrong values") }
    return Double((clock.now - start) / .microseconds(1)) / 1_000
  }

  /// All ask for one missing key, and its producer is held until all of them wait.
  ///
  /// - Returns: milliseconds of parking and releasing.
  func join(_ name: String, whenParked: @escaping @Sendable () -> Void = {}) async throws -> Double
  {
    let cache = try Cache<Int, Int>(name: "flights") { Memory() }
    let gate = Gate()
    let watcher = Task { [callers] in
      while cache.statistics.waiters < callers || gate.count == 0 {
        try? await Task.sleep(for: .milliseconds(1))
      }
      whenParked()
      gate.open()
    }
    let elapsed = try await run(name, expecting: 3 * callers) { _ in
      let value = try? await cache.cached(1) {
        await gate.wait()
        return 3
      }
      return value ?? 0
    }
    await watcher.value
    let loads = cache.statistics.loads
    guard loads == 1 else { throw BenchmarkFailure("\(name): \(loads) runs of the producer") }
    return elapsed
  }

  /// Each asks for a missing key of its own, and the producers are held until all of them run.
  ///
  /// - Returns: milliseconds of parking and releasing.
  func loadDistinct(
    _ name: String,
    whenParked: @escaping @Sendable () -> Void = {}
  ) async throws -> Double {
    let cache = try Cache<Int, Int>(name: "flights") { Memory(.count(2 * callers)) }
    return try await distinct(name, whenParked) { index, gate in
      let value = try? await cache.cached(index) {
        await gate.wait()
        return index
      }
      return value ?? -1
    }
  }

  /// The same callers, held in the same way, without a cache.
  func withoutCache(
    _ name: String,
    whenParked: @escaping @Sendable () -> Void = {}
  ) async throws -> Double {
    try await distinct(name, whenParked) { index, gate in
      await gate.wait()
      return index
    }
  }

  private func distinct(
    _ name: String,
    _ whenParked: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable (Int, Gate) async -> Int
  ) async throws -> Double {
    let gate = Gate()
    let watcher = Task { [callers] in
      while gate.count < callers { try? await Task.sleep(for: .milliseconds(1)) }
      whenParked()
      gate.open()
    }
    let elapsed = try await run(name, expecting: callers * (callers - 1) / 2) { index in
      await body(index, gate)
    }
    await watcher.value
    return elapsed
  }
}
