import Synchronization
import Testing

@testable import CacheAside

@Suite struct MemoryStoreExpiryTests {
  let clock = HandClock()

  @Test func `a value is fresh before its deadline and not at it`() throws {
    let store = try MemoryStore<String, Int>(limits: .count(10), time: clock.source)
    store.insert(1, for: "k", deadline: clock.after(milliseconds: 10))
    clock.advance(milliseconds: 9)
    #expect(store.value(for: "k") == 1)
    #expect(store.peek("k") == 1)
    clock.advance(milliseconds: 1)
    #expect(store.peek("k") == nil)
    #expect(store.count == 1)
    #expect(store.value(for: "k") == nil)
    // The lookup has removed it.
    #expect(store.count == 0)
    #expect(store.counters.expired == 1)
    #expect(store.counters.misses == 1)
  }

  @Test func `reads no clock on a hit while no entry has a deadline`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(1000), time: clock.source)
    for key in 0..<100 { store.insert(key, for: key) }
    let before = clock.timesRead
    for key in 0..<100 { #expect(store.value(for: key) == key) }
    #expect(clock.timesRead == before)
    store.insert(1, for: 1, deadline: clock.after(milliseconds: 50))
    let after = clock.timesRead
    #expect(store.value(for: 1) == 1)
    #expect(clock.timesRead > after)
  }

  @Test func `B078 an entry that is expired already stores and costs nothing`() throws {
    let store = try MemoryStore<String, Int>(limits: .cost(5), time: clock.source)
    for index in 0..<10 {
      let isStored = store.insert(
        index,
        for: "k\(index)",
        deadline: clock.after(milliseconds: -60_000),
        cost: 1
      )
      #expect(!isStored)
    }
    store.insert(1, for: "x", deadline: clock.after(milliseconds: 60_000), cost: 1)
    #expect(store.totalCost == 1)
    #expect(store.value(for: "x") == 1)
    #expect(!store.insert(2, for: "x", deadline: clock.now))
    #expect(store.count == 0)
    #expect(store.totalCost == 0)
  }

  @Test(arguments: EvictionPolicy.allCases)
  func `B082 expired entries take no room`(policy: EvictionPolicy) throws {
    let store = try MemoryStore<Int, Int>(
      limits: .count(3),
      policy: policy,
      time: clock.source
    )
    for key in 1...3 { store.insert(key, for: key, deadline: clock.after(milliseconds: 100)) }
    clock.advance(milliseconds: 150)
    for key in 1...3 { #expect(store.value(for: key) == nil) }
    for key in 1...3 { store.insert(key, for: key, deadline: clock.after(milliseconds: 100)) }
    store.insert(4, for: 4, deadline: clock.after(milliseconds: 100))
    #expect(store.count == 3)
    #expect(store.counters.evicted == 1)
    if policy != .lazyTinyLFU { #expect(store.keys().sorted() == [2, 3, 4]) }
  }

  @Test func `expired entries leave before live ones`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(100), time: clock.source)
    for key in 0..<50 { store.insert(key, for: key) }
    for key in 50..<100 { store.insert(key, for: key, deadline: clock.after(milliseconds: 20)) }
    clock.advance(milliseconds: 30)
    for key in 100..<130 { store.insert(key, for: key) }
    #expect(store.counters.evicted <= 1)
    #expect(store.counters.expired >= 29)
  }

  @Test func `B085 a sweep in steps finds everything that has expired`() throws {
    let store = try MemoryStore<Int, Int>(limits: .unlimited, time: clock.source)
    var random = SplitMix(state: 85)
    for index in 0..<6_000 {
      if index % 2 == 0 { clock.advance(milliseconds: 1) }
      let key = Int.random(in: 0..<4_000, using: &random)
      store.insert(index, for: key, deadline: clock.after(milliseconds: 5_000), cost: 3)
      if index % 7 == 0 { store.remove(Int.random(in: 0..<4_000, using: &random)) }
    }
    #expect(store.count > 1_000)
    for _ in 0..<100 {
      clock.advance(milliseconds: 100)
      store.sweep(budget: 64)
    }
    #expect(store.count == 0)
    #expect(store.totalCost == 0)
  }

  @Test func `removeExpired removes what is kept no longer, and stale ones when asked`() throws {
    let store = try MemoryStore<Int, Int>(limits: .unlimited, time: clock.source)
    for key in 0..<3_000 {
      store.insert(
        key,
        for: key,
        hash: store.hash(of: key),
        storedAt: clock.now,
        deadline: key % 3 == 0 ? .max : clock.after(milliseconds: 100),
        keptUntil: key % 3 == 1 ? clock.after(milliseconds: 500) : nil,
        cost: 1
      )
    }
    clock.advance(milliseconds: 100)
    #expect(store.removeExpired() == 1_000)
    #expect(store.value(for: 1) == nil)
    let stale = try #require(store.entry(for: 1))
    #expect(stale.value == 1)
    #expect(stale.deadline == clock.now)
    #expect(store.removeExpired(staleToo: true) == 1_000)
    #expect(store.count == 1_000)
    #expect(store.removeExpired(staleToo: true) == 0)
  }

  @Test func `expire ends freshness at once and keeps the entry`() throws {
    // The system's clock, so that the coarse hand is behind the precise one.
    let store = try MemoryStore<String, Int>(limits: .count(10))
    store.insert(1, for: "k", deadline: TimeSource.system.precise + 60_000_000_000)
    store.insert(2, for: "n")
    for key in ["k", "n"] {
      let hash = store.hash(of: key)
      #expect(store.value(for: key) != nil)
      let now = TimeSource.system.precise
      #expect(store.expire(key, hash: hash, at: now, staleIfError: 0, keepExpired: .max))
      #expect(store.value(for: key) == nil)
      #expect(store.entry(for: key) != nil)
    }
    let hash = store.hash(of: "absent")
    #expect(!store.expire("absent", hash: hash, at: 0, staleIfError: 0, keepExpired: .max))
  }

  @Test func `a lifetime below ten milliseconds is read with the precise clock`() throws {
    let store = try MemoryStore<Int, Int>(limits: .unlimited)
    let storedAt = TimeSource.system.precise
    let isStored = store.insert(
      1,
      for: 1,
      hash: store.hash(of: 1),
      storedAt: storedAt,
      deadline: storedAt + 9_000_000,
      cost: 1
    )
    #expect(isStored)
    // Every shard's reads go by the precise clock from now on.
    #expect(store.attention.load(ordering: .relaxed) == PositionTable.preciseFlag)
    #expect(store.withTable(store.shardIndex(store.hash(of: 1))) { $0.core.table.times.isExact })
  }

  @Test func `a read that races with the first deadline of a store sees it`() throws {
    let store = try MemoryStore<Int, Int>(limits: .unlimited, time: clock.source)
    store.insert(1, for: 1)
    // One shard has a deadline, the others have none.
    store.insert(2, for: 2, deadline: clock.after(milliseconds: 5))
    #expect(store.value(for: 1) == 1)
    clock.advance(milliseconds: 5)
    #expect(store.value(for: 1) == 1)
    #expect(store.value(for: 2) == nil)
  }

  @Test func `a hit that knew of no deadline when it read the time has to look again`() throws {
    let store = try MemoryStore<Int, Int>(limits: .unlimited, exact: true)
    store.insert(1, for: 1, deadline: TimeSource.system.precise + 3_600_000_000_000)
    store.insert(2, for: 2)
    for key in [1, 2] {
      let now = ShardClock.hitTime(store.sleepOffset, 0)
      let hash = store.hash(of: key)
      var isObstructed = false
      let value = store.withTable(0) { $0.hit(key, hash, now: now, isObstructed: &isObstructed) }
      #expect(value == nil && isObstructed)
      #expect(store.value(for: key) == key)
    }
  }
}
