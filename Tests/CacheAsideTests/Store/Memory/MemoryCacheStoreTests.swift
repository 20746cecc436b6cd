import Testing

@testable import CacheAside

@Suite struct MemoryCacheStoreTests {
  private func key(_ text: String, _ namespace: String = "n") -> CacheKey {
    CacheKey(text: text, namespace: Namespace(namespace))
  }

  private func entry(_ bytes: [UInt8]?, keptUntil: Int64 = .max) -> CacheEntry {
    CacheEntry(payload: bytes, codec: .raw, type: 1, created: 5, keptUntil: keptUntil)
  }

  @Test func `gives back what it was given, of any age`() async throws {
    let store = try MemoryCacheStore()
    await store.set(entry([1, 2], keptUntil: 1), for: key("a"))
    await store.set(entry(nil), for: key("b"))
    #expect(await store.entry(for: key("a")) == entry([1, 2], keptUntil: 1))
    #expect(await store.entry(for: key("b")) == entry(nil))
    #expect(await store.entry(for: key("a", "other")) == nil)
    await store.remove(key("a"))
    #expect(await store.entry(for: key("a")) == nil)
    #expect(try await store.onStoreThread { store.entryBlocking(for: key("b")) } == entry(nil))
  }

  @Test func `removes one namespace, or all`() async throws {
    let store = try MemoryCacheStore()
    for name in ["n", "m"] {
      for index in 0..<10 { await store.set(entry([1]), for: key("\(index)", name)) }
    }
    await store.removeAll(in: Namespace("n"))
    #expect(await store.usage().entries == 10)
    #expect(await store.entry(for: key("1", "m")) != nil)
    await store.removeAll(in: nil)
    #expect(await store.usage() == StoreUsage(entries: 0, bytes: 0))
  }

  @Test func `removes only what is unchanged`() async throws {
    let store = try MemoryCacheStore()
    await store.set(entry([1]), for: key("a"))
    #expect(await store.remove(key("a"), ifUnchanged: entry([2])) == false)
    #expect(await store.remove(key("a"), ifUnchanged: entry([1])))
    #expect(await store.remove(key("a"), ifUnchanged: entry([1])) == false)
  }

  @Test func `removes what is kept no longer by the cache's clock`() async throws {
    let clock = HandClock()
    let store = try MemoryCacheStore()
    store.attach(StoreContext(time: clock.source) { _, _, _ in })
    let wall = clock.source.wall
    await store.set(entry([1], keptUntil: wall + 1_000), for: key("soon"))
    await store.set(entry([1]), for: key("never"))
    #expect(try await store.removeExpired() == 0)
    clock.advance(milliseconds: 1)
    #expect(try await store.removeExpired() == 1)
    #expect(await store.entry(for: key("never")) != nil)
  }

  @Test func `lists entries until it is told to stop`() async throws {
    let store = try MemoryCacheStore()
    for index in 0..<10 { await store.set(entry([UInt8(index)]), for: key("\(index)")) }
    await store.set(entry([]), for: key("x", "m"))
    var seen: Set<String> = []
    await store.scan(Namespace("n")) { key, _ in
      seen.insert(key.text)
      return true
    }
    #expect(seen == Set((0..<10).map(String.init)))
    var visits = 0
    await store.scan(nil) { _, _ in
      visits += 1
      return visits < 3
    }
    #expect(visits == 3)
  }

  @Test func `counts bytes and holds its limit`() async throws {
    let store = try MemoryCacheStore(limits: .cost(10_000))
    for index in 0..<100 {
      await store.set(entry([UInt8](repeating: 0, count: 500)), for: key("\(index)"))
    }
    let usage = await store.usage()
    #expect(try #require(usage.bytes) <= 10_000)
    #expect(try #require(usage.bytes) > 9_000)
    await store.set(entry([UInt8](repeating: 0, count: 10_000)), for: key("99"))
    #expect(await store.entry(for: key("99")) == nil)
  }
}
