import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct BatchRecursionTests {
  /// A function that asks for itself in a way that the test says.
  private final class Loop: Sendable {
    let feature: CacheFeature
    init() throws { feature = try Caches.inMemory["f"] }

    func batch(
      _ name: String,
      maximum: Int? = nil,
      _ producer: @escaping @concurrent @Sendable ([Int]) async throws -> [Int: Int]
    ) -> BatchMemoized<Int, Int> {
      feature.cachedBatch(
        key: { "\(name)/\($0)" },
        maximumBatchSize: maximum,
        producer
      )
    }
  }

  @Test func `F7 a batch whose producer asks for one of its keys throws`() async throws {
    let loop = try Loop()
    let fetch = loop.batch("a") { _ in
      [1: try await loop.feature.cached(key: "a/2") { 2 }]
    }
    let error = await #expect(throws: CacheError.self) { try await fetch([1, 2]) }
    #expect(error?.code == .recursiveLoad)
    #expect(loop.feature.isQuiet)
  }

  @Test func `F7 a batch whose producer asks for the batch throws`() async throws {
    let loop = try Loop()
    let inner = loop.batch("a") { _ in [:] }
    let fetch = loop.batch("a") { ids in try await inner(ids) }
    let error = await #expect(throws: CacheError.self) { try await fetch([1, 2]) }
    #expect(error?.code == .recursiveLoad)
    #expect(loop.feature.isQuiet)
  }

  @Test func `F7 a circle of two batches with different leaders throws`() async throws {
    let loop = try Loop()
    let (inA, inB) = (Gate(), Gate())
    let innerB = loop.batch("b") { _ in [:] }
    let innerA = loop.batch("a") { _ in [:] }
    let one = loop.batch("a") { ids in
      try await inA.wait()
      return try await innerB(ids)
    }
    let two = loop.batch("b") { ids in
      try await inB.wait()
      return try await innerA(ids)
    }
    let first = Task { try await one([1]) }
    let second = Task { try await two([1]) }
    try await inA.waitForArrivals(1)
    try await inB.waitForArrivals(1)
    inA.open()
    await loop.feature.integers.waiters(3)
    inB.open()
    let error = await #expect(throws: CacheError.self) { try await second.value }
    #expect(error?.code == .recursiveLoad)
    await #expect(throws: CacheError.self) { try await first.value }
    #expect(loop.feature.isQuiet)
  }

  @Test func `F7 a circle through a single load throws`() async throws {
    let loop = try Loop()
    let inner = loop.batch("a") { _ in [:] }
    let fetch = loop.batch("a") { _ in
      [
        1: try await loop.feature.cached(key: "s") {
          try await inner([2])[2] ?? 0
        }
      ]
    }
    let error = await #expect(throws: CacheError.self) { try await fetch([1, 2]) }
    #expect(error?.code == .recursiveLoad)
    #expect(loop.feature.isQuiet)
  }

  @Test func `one call of a batch may wait for another call of it`() async throws {
    let loop = try Loop()
    let fetch = loop.batch("a", maximum: 1) { ids in
      if ids == [2] { return [2: 2] }
      return [1: try await loop.feature.cached(key: "a/2") { 0 } + 1]
    }
    #expect(try await fetch([1, 2]) == [1: 3, 2: 2])
    #expect(loop.feature.isQuiet)
  }
}
