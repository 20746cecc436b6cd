import CacheAsideTesting
import Foundation
import Testing

@testable import CacheAside

/// The names of AwesomeCache, over memory and disk.
@Suite(.timeLimit(.minutes(60)))
struct ObjectCacheTests {
  private let fixture: ObjectCacheFixture
  private var cache: ObjectCache<Int> { fixture.cache }

  init() throws { fixture = try ObjectCacheFixture() }

  @Test
  func `objects are set, read and removed at once`() {
    cache["a"] = 1
    #expect(cache["a"] == 1)
    #expect(cache.object(forKey: "a") == 1)
    cache.setObject(2, forKey: "a")
    #expect(cache["a"] == 2)
    cache["a"] = nil
    #expect(cache["a"] == nil)
    cache.setObject(3, forKey: "b", expires: .never)
    cache.removeObject(forKey: "b")
    #expect(cache.object(forKey: "b") == nil)
    #expect(fixture.events.events.isEmpty)
  }

  @Test
  func `an object lives as long as was said`() async throws {
    cache.setObject(1, forKey: "seconds", expires: .seconds(300))
    cache.setObject(2, forKey: "date", expires: .date(fixture.clock.date + 200))
    cache.setObject(3, forKey: "never", expires: .never)
    cache.setObject(4, forKey: "past", expires: .seconds(-1))
    #expect(cache["past"] == nil)
    try await fixture.clock.advance(by: .seconds(200))
    #expect(cache["date"] == nil && cache["seconds"] == 1)
    try await fixture.clock.advance(by: .seconds(100))
    #expect(cache["seconds"] == nil && cache["never"] == 3)
  }

  @Test
  func `an object that has expired already is kept as such (B403)`() async throws {
    let past = Expiry.date(fixture.clock.date - 60)
    cache.setObject(1, forKey: "date", expires: past)
    cache.setObject(2, forKey: "seconds", expires: .seconds(-1))
    cache.setObject(3, forKey: "zero", expires: .seconds(0))
    fixture.load("block") { success, _ in success(4, past) }
    // It takes the place of a fresh one, and a fresh one takes its.
    cache.setObject(5, forKey: "again", expires: .never)
    cache.setObject(6, forKey: "again", expires: past)
    let keys = ["date", "seconds", "zero", "block", "again"]
    let objects = [1, 2, 3, 4, 6]
    for (key, object) in zip(keys, objects) {
      #expect(cache.object(forKey: key) == nil)
      #expect(cache.object(forKey: key, returnExpiredObjectIfPresent: true) == object)
      #expect(try await cache.entry(for: key)?.isFresh == false)
      #expect(try await cache.value(for: key) == nil)
    }
    #expect(cache.allObjects().isEmpty)
    #expect(cache.allObjects(includeExpired: true).sorted() == objects)
    let next = try ObjectCacheFixture(reopening: fixture)
    for (key, object) in zip(keys, objects) {
      #expect(next.cache.object(forKey: key) == nil)
      #expect(next.cache.object(forKey: key, returnExpiredObjectIfPresent: true) == object)
    }
    cache.setObject(7, forKey: "again", expires: .never)
    #expect(cache["again"] == 7)
    cache.removeExpiredObjects()
    #expect(cache.allObjects(includeExpired: true) == [7])
    #expect(fixture.events.events.isEmpty)
  }

  @Test
  func `set and cached store nothing that has expired already (B403)`() async throws {
    try await cache.set(1, for: "set", expiry: .seconds(-1))
    try cache.setBlocking(2, for: "blocking", expiry: .date(fixture.clock.date - 60))
    _ = try await cache.cached("cached", expiry: .seconds(0)) { 3 }
    for key in ["set", "blocking", "cached"] {
      #expect(cache.object(forKey: key, returnExpiredObjectIfPresent: true) == nil)
    }
    // Nor does a cache that keeps nothing that has expired.
    let plain = try ObjectCache<Int>(name: "plain", time: fixture.clock.timeSource) { Memory() }
    plain.setObject(4, forKey: "k", expires: .never)
    plain.setObject(5, forKey: "k", expires: .seconds(-1))
    #expect(plain.object(forKey: "k", returnExpiredObjectIfPresent: true) == nil)
  }

  @Test
  func `B110 an expired object is told from a fresh one`() async throws {
    cache.setObject(1, forKey: "k", expires: .seconds(10))
    try await fixture.clock.advance(by: .seconds(15))
    #expect(cache.object(forKey: "k") == nil)
    #expect(cache.object(forKey: "k", returnExpiredObjectIfPresent: true) == 1)
    let entry = try #require(try await cache.entry(for: "k"))
    #expect(!entry.isFresh && entry.age == .seconds(15))
    #expect(cache.object(forKey: "missing", returnExpiredObjectIfPresent: true) == nil)
    cache.removeObject(forKey: "k")
    #expect(cache.object(forKey: "k", returnExpiredObjectIfPresent: true) == nil)
  }

  @Test
  func `B110 an expired object is found on disk after a relaunch`() async throws {
    cache.setObject(1, forKey: "k", expires: .seconds(10))
    let next = try ObjectCacheFixture(reopening: fixture)
    try await next.clock.advance(by: .seconds(15))
    #expect(next.cache.object(forKey: "k") == nil)
    #expect(next.cache.object(forKey: "k", returnExpiredObjectIfPresent: true) == 1)
  }

  @Test
  func `all objects come from memory and disk`() async throws {
    cache["a/b"] = 1
    cache["日本"] = 2
    cache.setObject(3, forKey: "short", expires: .seconds(10))
    let next = try ObjectCacheFixture(reopening: fixture).cache
    next["new"] = 4
    #expect(next["a/b"] == 1)
    #expect(next.allObjects().sorted() == [1, 2, 3, 4])
    let keys = try await next.entries().map(\.key.description)
    #expect(keys.count == 4 && keys.contains("日本"))
    let later = try ObjectCacheFixture(reopening: fixture)
    try await later.clock.advance(by: .seconds(10))
    #expect(later.cache.allObjects().sorted() == [1, 2, 4])
    #expect(later.cache.allObjects(includeExpired: true).sorted() == [1, 2, 3, 4])
  }

  @Test
  func `a disk hit fills memory`() throws {
    cache["a"] = 1
    #expect(cache.isOnMemory(forKey: "a"))
    let next = try ObjectCacheFixture(reopening: fixture).cache
    #expect(!next.isOnMemory(forKey: "a"))
    #expect(next["a"] == 1)
    #expect(next.isOnMemory(forKey: "a"))
    #expect(!next.isOnMemory(forKey: "missing"))
  }

  @Test
  func `removing all empties memory and disk`() throws {
    for number in 0..<20 { cache["\(number)"] = number }
    var isDone = false
    cache.removeAllObjects { isDone = true }
    #expect(isDone)
    #expect(cache.allObjects(includeExpired: true).isEmpty)
    let next = try ObjectCacheFixture(reopening: fixture).cache
    #expect(next.allObjects(includeExpired: true).isEmpty)
  }

  @Test
  func `removing the expired leaves the others`() async throws {
    for number in 0..<20 {
      cache.setObject(
        number,
        forKey: "\(number)",
        expires: number.isMultiple(of: 2) ? .seconds(10) : .never
      )
    }
    try await fixture.clock.advance(by: .seconds(10))
    cache.removeExpiredObjects()
    #expect(cache.count == 10)
    #expect(cache.allObjects().count == 10)
    #expect(cache["1"] == 1)
  }

  @Test
  func `failures that cannot be thrown are events`() throws {
    cache.setObject(1, forKey: "k", expires: .seconds(.nan))
    let event = try #require(fixture.events.events.first)
    #expect(event.kind == .writeFailed)
    #expect((event.error as? CacheError)?.code == .invalidExpiry)
    #expect(event.key == "k")
    #expect(cache["k"] == nil)
  }

  @Test
  func `S1 failures of a store are events`() throws {
    let store = FaultInjectingStore(FlawedStore())
    let events = EventRecorder<CacheEvent>()
    let cache = try ObjectCache<Int>(name: "faulty") {
      Memory()
      Store(store)
    }
    cache.observe(RecordingObserver(recorder: events))
    store.inject(.fail(CacheError(.storeFailed, "broken")), on: .write, .remove, .removeAll)
    cache["k"] = 1
    #expect(events.removeAll().map(\.kind).contains(.writeFailed))
    #expect(cache["k"] == 1)
    cache["k"] = nil
    #expect(events.removeAll().map(\.kind).contains(.removalFailed))
    #expect(cache["k"] == nil)
    var isDone = false
    cache.removeAllObjects { isDone = true }
    #expect(isDone)
    #expect(events.removeAll().map(\.kind).contains(.removalFailed))
  }

  @Test
  func `a folder's name comes from nobody else`() throws {
    for name in ["", "..", "a/b"] {
      let error = #expect(throws: CacheError.self) {
        _ = try ObjectCache<Int>(name: name, directory: URL(fileURLWithPath: fixture.folder.path))
      }
      #expect(error?.code == .invalidConfiguration)
    }
    let directory = URL(fileURLWithPath: fixture.folder.path)
    try ObjectCache<Int>(name: "profiles", directory: directory)["me"] = 1
    #expect(try ObjectCache<Int>(name: "profiles", directory: directory)["me"] == 1)
    #expect(try ObjectCache<Int>(name: "others", directory: directory)["me"] == nil)
  }
}
