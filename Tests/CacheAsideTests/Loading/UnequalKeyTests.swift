import CacheAsideTesting
import Foundation
import Testing

@testable import CacheAside

/// Keys whose `==` says that they differ from themselves, in typed caches.
@Suite(.timeLimit(.minutes(60)))
struct UnequalKeyTests {
  private struct Point: Codable, Hashable, CacheKeyConvertible {
    var x: Double
    var y: [Float]
  }

  private func check<Key: CacheKeyConvertible>(
    _ setup: Setup,
    _ key: Key,
    _ again: Key,
    other: Key
  ) async throws {
    let folder = try TemporaryFolder()
    let cache = try Cache<Key, Int>(name: "numbers") {
      if setup.hasMemory { Memory() }
      if setup != .memory { Disk(location: .directory(folder.path)) }
    }
    let runs = Counter()
    for key in [key, again, key, again] {
      let value = try await cache.cached(key) { () -> Int in
        runs.add()
        return 1
      }
      #expect(value == 1)
    }
    #expect(runs.count == 1)
    #expect(try await cache.cached(other) { 7 } == 7)
    if setup.hasMemory {
      #expect(cache.count == 2)
      #expect(cache.peek(again) == 1)
    }
    #expect(cache[again] == 1)
    #expect(try await cache.value(for: again) == 1)
    #expect(try await cache.entries().count == 2)
    cache[key] = 2
    #expect(cache[again] == 2)
    try await cache.set(3, for: again)
    #expect(cache[key] == 3)
    try await cache.update(key) { $0 = ($0 ?? 0) + 1 }
    #expect(try await cache.value(for: again) == 4)
    #expect(try await cache.values(for: [key, other]).values.sorted() == [4, 7])
    try await cache.expire(again)
    #expect(cache[key] == nil)
    cache[key] = 5
    try await cache.remove(again)
    #expect(cache[key] == nil && cache[other] == 7)
    cache[again] = 6
    cache[key] = nil
    #expect(try await cache.value(for: again) == nil)
    #expect(cache.peek(other) == (setup.hasMemory ? 7 : nil))
    if setup.hasMemory { #expect(cache.count == 1) }
  }

  @Test(arguments: [Setup.memory, .disk, .memoryAndDisk])
  func `every NaN is one key, alone and inside other keys (B388)`(setup: Setup) async throws {
    let nan = Double.nan
    let other = Double(nan: 5, signaling: false)
    try await check(setup, nan, -other, other: 0)
    try await check(setup, Float.nan, -.nan, other: 1)
    try await check(setup, Double?.some(nan), .some(other), other: nil)
    try await check(setup, [1, nan], [1, other], other: [1])
    try await check(setup, [[nan]], [[other]], other: [])
    try await check(setup, Set([nan]), Set([other, nan]), other: [2])
    try await check(setup, ["a": nan], ["a": other], other: ["a": 1])
    try await check(setup, ArgumentPair(1, nan), ArgumentPair(1, other), other: ArgumentPair(1, 2))
    try await check(setup, Point(x: nan, y: []), Point(x: other, y: []), other: Point(x: 0, y: []))
    try await check(
      setup,
      Point(x: 1, y: [.nan]),
      Point(x: 1, y: [-.nan]),
      other: Point(x: 1, y: [0])
    )
  }

  @Test func `a key that only looks like a NaN is found all the same (B388)`() async throws {
    let bytes = CacheKey.Encoder.bytes(of: Double.nan) + [1, 2]
    try await check(.memoryAndDisk, Data(bytes), Data(bytes), other: Data([1]))
  }

  @Test func `a callback load and a warm start find a NaN (B388)`() async throws {
    let folder = try TemporaryFolder()
    let cache = try Cache<Double, Int>(name: "numbers") { Memory() }
    cache[.nan] = 1
    cache[2] = 2
    let path = folder.path + "/warm"
    #expect(try await cache.saveMemory(to: path) == 2)
    let next = try Cache<Double, Int>(name: "numbers") { Memory() }
    _ = try await next.restoreMemory(from: path)
    #expect(next.peek(.nan) == 1 && next.peek(2) == 2)
    next.removeFromMemory(.nan)
    #expect(next.peek(.nan) == nil)
  }
}
