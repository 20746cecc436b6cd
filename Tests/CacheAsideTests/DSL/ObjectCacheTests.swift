import CacheAsideTesting
import Foundation
import Testing

@testable import CacheAside

/// The names of AwesomeCache, over memory and disk.
@Suite(.timeLimit(.minutes(5)))
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
