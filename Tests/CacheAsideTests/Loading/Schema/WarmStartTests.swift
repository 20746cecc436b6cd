import CacheAsideTesting
import Testing

@testable import CacheAside

/// Memory that is saved to a file and read back.
@Suite(.timeLimit(.minutes(60)))
struct WarmStartTests {
  private let folder: TemporaryFolder
  private let clock = ManualClock()
  private var path: String { folder.path + "/memory" }

  init() throws { folder = try TemporaryFolder() }

  private func cache<Key: CacheKeyConvertible & Hashable & Sendable, Value: Sendable>(
    _ key: Key.Type = String.self,
    _ value: Value.Type = Int.self,
    name: String = "feature",
    policy: CachePolicy = CachePolicy()
  ) throws -> Cache<Key, Value> {
    try Cache(name: name, policy: policy, time: clock.timeSource) { Memory(exact: true) }
  }

  @Test func `entries come back with what is left of their lives`() async throws {
    let before = try cache()
    try await before.set(1, for: "short", expiry: .seconds(10))
    try await before.set(2, for: "long", expiry: .seconds(100))
    try await before.set(3, for: "never")
    try await clock.advance(by: .seconds(4))
    #expect(try await before.saveMemory(to: path) == 3)
    try await clock.advance(by: .seconds(5))

    let after = try cache()
    #expect(try await after.restoreMemory(from: path).entries == 3)
    #expect(after.peek("short") == 1 && after.peek("long") == 2 && after.peek("never") == 3)
    #expect(try await after.entry(for: "long")?.age == .seconds(9))
    try await clock.advance(by: .seconds(1))
    #expect(after.peek("short") == nil && after.peek("long") == 2)
    let late = try await cache().restoreMemory(from: path)
    #expect(late.entries == 2 && late.expired == 1)
    try await clock.advance(by: .seconds(90))
    #expect(after.peek("long") == nil && after.peek("never") == 3)
    let status = try POSIXFileSystem().status(at: path)
    #expect(status.kind == .file && TemporaryFolder.filePaths(in: folder.path) == [path])
  }

  @Test func `terms come back: windows, tags, validators, costs, idleness`() async throws {
    var policy = CachePolicy()
    policy.staleIfError = .seconds(50)
    let before = try cache(policy: policy)
    _ = try await before.cached("k") {
      Produced(7, expiry: .seconds(10), tags: ["t"], cost: 42, validator: "v")
    }
    try await before.set(8, for: "idle", expiry: .idle(.seconds(20), max: .hours(1)))
    try await clock.advance(by: .seconds(15))
    #expect(before.peek("k") == nil)
    #expect(try await before.saveMemory(to: path) == 2)

    let after = try cache(policy: policy)
    #expect(try await after.restoreMemory(from: path).entries == 2)
    let terms = try #require(after.memory.entry(for: "k", hash: after.memory.hash(of: "k"))?.terms)
    #expect(terms.validator == "v" && terms.tags == ["t"])
    #expect(after.memory.totalCost == 42 + before.memory.totalCost - 42)
    // Stale, and in its window still.
    #expect(try await after.cached("k") { throw EngineError.boom } == 7)
    // Five seconds of idleness are left, and a read gives twenty again.
    try await clock.advance(by: .seconds(4))
    #expect(try await after.value(for: "idle") == 8)
    try await clock.advance(by: .seconds(19))
    #expect(try await after.value(for: "idle") == 8)
    try await clock.advance(by: .seconds(20))
    #expect(after.peek("idle") == nil)
    // Both are out of their stale windows by then.
    try await clock.advance(by: .seconds(20))
    #expect(try await cache(policy: policy).restoreMemory(from: path).expired == 2)
  }

  @Test func `keys of every form come back, under a scope too`() async throws {
    let numbers = try cache(Int.self, String.self)
    try await numbers.set("one", for: 1)
    try await Caches.withScope(["user": "ada"]) { try await numbers.set("hers", for: 1) }
    #expect(try await numbers.saveMemory(to: path) == 2)
    let after = try cache(Int.self, String.self)
    #expect(try await after.restoreMemory(from: path).entries == 2)
    #expect(after.peek(1) == "one")
    Caches.withScope(["user": "ada"]) { #expect(after.peek(1) == "hers") }

    let keyed = try cache(CacheKey.self, String?.self)
    try await keyed.set(nil, for: "a/b")
    try await keyed.saveMemory(to: path)
    let again = try cache(CacheKey.self, String?.self)
    #expect(try await again.restoreMemory(from: path).entries == 1)
    #expect(again.peek("a/b") == .some(nil))
  }

  @Test func `what is newer in memory stays`() async throws {
    let cache = try cache()
    try await cache.set(1, for: "a")
    try await cache.set(1, for: "b")
    try await cache.saveMemory(to: path)
    try await clock.advance(by: .seconds(1))
    try await cache.set(2, for: "a")
    try await cache.remove("b")
    let restored = try await cache.restoreMemory(from: path)
    #expect(restored.superseded == 1 && restored.entries == 1)
    #expect(cache.peek("a") == 2 && cache.peek("b") == 1)
  }

  @Test func `other features, types and structures are left out`() async throws {
    struct Old: Codable { var a: Int }
    try await cache(String.self, Double.self).set(1, for: "k")
    let before = try cache()
    try await before.set(1, for: "k")
    try await before.saveMemory(to: path)
    #expect(try await cache(name: "other").restoreMemory(from: path).foreign == 1)
    #expect(try await cache(String.self, Double.self).restoreMemory(from: path).foreign == 1)
    #expect(try await cache(Int.self, Int.self).restoreMemory(from: path).foreign == 1)
    #expect(try await cache().restoreMemory(from: path + "x") == RestoredMemory())
  }

  @Test func `damaged entries are left out, and the rest is read`() async throws {
    let before = try cache()
    for key in 0..<20 { try await before.set(key, for: "\(key)") }
    try await before.saveMemory(to: path)
    let sound = try TemporaryFolder.read(path)
    var random = SplitMix(state: 1)
    for _ in 0..<200 {
      var bytes = sound
      let place = 16 + Int(random.next() % UInt64(bytes.count - 16))
      bytes[place] ^= UInt8(1 << (random.next() % 8))
      try TemporaryFolder.write(bytes, to: path)
      let after = try cache()
      let restored = try await after.restoreMemory(from: path)
      #expect(restored.entries == 19 && restored.damaged == 1)
      #expect((0..<20).allSatisfy { after.peek("\($0)") ?? $0 == $0 })
    }
    try TemporaryFolder.write(Array(sound.dropLast(5)), to: path)
    let cut = try await cache().restoreMemory(from: path)
    #expect(cut.entries == 19 && cut.damaged == 1)
    try TemporaryFolder.write([1, 2, 3], to: path)
    await #expect { try await cache().restoreMemory(from: path) } throws: { error in
      (error as? CacheError)?.code == .recordDamaged
    }
  }

  @Test func `a file that could not be written leaves the old one`() async throws {
    let files = FaultInjectingFileSystem()
    let cache = try cache()
    try await cache.set(1, for: "k")
    try await cache.saveMemory(to: path)
    try await cache.set(2, for: "k")
    for call in [FileCall.create, .write, .synchronize, .rename] {
      files.fail(call, with: 28)
      await #expect { try await cache.saveMemory(MemoryFile(path, files: files)) } throws: {
        error in
        (error as? CacheError)?.code == .storeFailed
      }
      files.heal()
      #expect(TemporaryFolder.filePaths(in: folder.path) == [path])
    }
    let after = try self.cache()
    #expect(try await after.restoreMemory(from: path).entries == 1)
    #expect(after.peek("k") == 1)
  }

  @Test func `values without a codec are refused`() async throws {
    final class Plain: Sendable {}
    let cache = try cache(String.self, Plain.self)
    await #expect { try await cache.saveMemory(to: path) } throws: { error in
      (error as? CacheError)?.code == .unsupportedType
    }
  }

  @Test func `saving and restoring go on while others write`() async throws {
    let cache = try Cache<Int, Int>(name: "feature") { Memory(.count(2_000)) }
    for key in 0..<1_000 { try await cache.set(0, for: key) }
    try await cache.saveMemory(to: path)
    let path = path
    await withTaskGroup { group in
      group.addTask {
        for round in 1...20 {
          for key in stride(from: 0, to: 1_000, by: 2) { cache[key] = round }
        }
      }
      group.addTask {
        do {
          for _ in 0..<5 { try await cache.restoreMemory(from: path) }
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect((0..<1_000).allSatisfy { cache.peek($0) == ($0 % 2 == 0 ? 20 : 0) })
  }
}
