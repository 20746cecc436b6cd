import Testing

@testable import CacheAside

/// Lengths are milliseconds.
@Suite struct MemoryStoreIdleTests {
  let clock = HandClock()
  private static let tick: Int64 = 1 << 22

  private func insert(
    _ store: MemoryStore<Int, Int>,
    idle: Int64,
    maximum: Int64,
    kept: Int64? = nil,
    deadline: Int64 = .max
  ) {
    store.insert(
      1,
      for: 1,
      hash: store.hash(of: 1),
      storedAt: store.clockNow(),
      deadline: deadline,
      keptUntil: kept,
      cost: 1,
      terms: EntryTerms(idle: idle * 1_000_000, idleMaximum: maximum * 1_000_000)
    )
  }

  @Test(arguments: EvictionPolicy.allCases)
  func `each hit moves the deadline, but not beyond the longest life`(
    policy: EvictionPolicy
  ) throws {
    let store = try MemoryStore<Int, Int>(limits: .count(9), policy: policy, time: clock.source)
    let end = clock.after(milliseconds: 250)
    insert(store, idle: 100, maximum: 250)
    #expect(store.entry(for: 1)?.deadline == clock.after(milliseconds: 100))
    for _ in 0..<3 {
      clock.advance(milliseconds: 80)
      #expect(store.value(for: 1) == 1)
      #expect(store.entry(for: 1)?.deadline == min(end, clock.after(milliseconds: 100)))
    }
    clock.advance(milliseconds: 10)
    #expect(store.value(for: 1) == nil)
    #expect(store.count == 0)
  }

  @Test func `looking does not move the deadline`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(9), time: clock.source)
    insert(store, idle: 100, maximum: 250)
    clock.advance(milliseconds: 80)
    #expect(store.peek(1) == 1)
    #expect(store.entry(for: 1)?.value == 1)
    clock.advance(milliseconds: 20)
    #expect(store.peek(1) == nil)
  }

  @Test func `the end of keeping moves along`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(9), time: clock.source)
    insert(
      store,
      idle: 100,
      maximum: 250,
      kept: clock.after(milliseconds: 350),
      deadline: clock.after(milliseconds: 300)
    )
    #expect(store.entry(for: 1)?.keptUntil == clock.after(milliseconds: 150))
    clock.advance(milliseconds: 60)
    #expect(store.value(for: 1) == 1)
    #expect(store.entry(for: 1)?.keptUntil == clock.after(milliseconds: 150))
  }

  @Test func `a given deadline that is earlier holds until the first hit`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(9), time: clock.source)
    insert(store, idle: 100, maximum: 250, deadline: clock.after(milliseconds: 30))
    #expect(store.entry(for: 1)?.deadline == clock.after(milliseconds: 30))
  }

  @Test func `in ticks the first hit of a 256th of the interval moves deadline and end of keeping`()
    throws
  {
    let store = try MemoryStore<Int, Int>(limits: .count(9), exact: true)
    let second: Int64 = 1_000_000_000
    let now = store.clockNow()
    insert(
      store,
      idle: 60_000,
      maximum: 90_000,
      kept: now + 200 * second,
      deadline: now + 70 * second
    )
    let hash = store.hash(of: 1)
    func hit(at time: Int64) -> Int? {
      store.withTable(0) { table in
        var isObstructed = false
        return table.hit(1, hash, now: time, isObstructed: &isObstructed)
      }
    }
    for (after, expected) in [(20, 80), (25, 85), (50, 90)] {
      let time = now + Int64(after) * second
      #expect(hit(at: time) == nil)
      let value = store.withTable(0) { table in
        var displaced = Displaced<Int, Int>(from: 0, listening: nil)
        return table.attentiveHit(
          1,
          hash,
          now: time,
          known: PositionTable.coarseFlag,
          &displaced
        )
      }
      #expect(value == 1)
      #expect(hit(at: time) == 1)
      #expect(hit(at: time + 60 * second / 256 - Self.tick) == 1)
      #expect(hit(at: time + 60 * second / 256 + Self.tick) == nil)
      let entry = store.entry(for: 1)
      let late = now + Int64(expected) * second - (entry?.deadline ?? 0)
      // What it is early by for the clock, and the rounding of the time it was stored and of its end.
      #expect(-Self.tick < late && late < SystemClock.coarseLateness + 2 * Self.tick)
      let kept = (entry?.keptUntil ?? 0) - (entry?.deadline ?? 0) - 130 * second
      #expect(abs(kept) < 2 * Self.tick)
    }
    #expect(hit(at: now + 91 * second) == nil)
    #expect(store.counters.hits == 9)
  }

  @Test func `entries that expire by idleness survive the turn to exact times`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(9), exact: true)
    insert(store, idle: 60_000, maximum: 90_000)
    store.insert(2, for: 2, deadline: store.clockNow() + 9_000_000)
    #expect(store.value(for: 1) == 1)
    let time = store.clockNow() + 20_000_000_000
    let value = store.withTable(0) { table in
      var displaced = Displaced<Int, Int>(from: 0, listening: nil)
      return table.attentiveHit(
        1,
        store.hash(of: 1),
        now: time,
        known: PositionTable.preciseFlag,
        &displaced
      )
    }
    #expect(value == 1)
    #expect(store.entry(for: 1)?.deadline == time + 60_000_000_000)
  }
}
