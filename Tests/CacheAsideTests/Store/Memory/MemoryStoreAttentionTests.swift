import Testing

@testable import CacheAside

@Suite struct MemoryStoreAttentionTests {
  let clock = HandClock()

  private func insert(
    _ key: Int,
    attention: Int64?,
    deadline: Int64,
    _ store: MemoryStore<Int, Int>
  ) {
    store.insert(
      key,
      for: key,
      hash: store.hash(of: key),
      storedAt: clock.now,
      deadline: deadline,
      cost: 1,
      attentionAt: attention
    )
  }

  @Test func `from its moment of attention on a read finds and counts nothing`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(10), time: clock.source)
    let deadline = clock.after(milliseconds: 100)
    insert(1, attention: clock.after(milliseconds: 80), deadline: deadline, store)
    clock.advance(milliseconds: 79)
    #expect(store.value(for: 1) == 1)
    clock.advance(milliseconds: 1)
    #expect(store.value(for: 1) == nil)
    #expect(store.counters.hits == 1)
    #expect(store.counters.misses == 0)
    #expect(store.peek(1) == 1)
    #expect(store.entry(for: 1)?.deadline == deadline)
    #expect(store.removeExpired(staleToo: true) == 0)
    clock.advance(milliseconds: 20)
    #expect(store.peek(1) == nil)
    #expect(store.value(for: 1) == nil)
    #expect(store.counters.misses == 1)
    #expect(store.count == 0)
  }

  @Test func `an entry without a deadline may need attention`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(10), time: clock.source)
    insert(1, attention: clock.after(milliseconds: 80), deadline: .max, store)
    #expect(store.value(for: 1) == 1)
    clock.advance(milliseconds: 80)
    #expect(store.value(for: 1) == nil)
    #expect(store.peek(1) == 1)
    #expect(!store.hasDeadlines)
  }

  @Test func `attention is postponed, at most to the deadline, and never moved earlier`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(10), time: clock.source)
    let deadline = clock.after(milliseconds: 100)
    insert(1, attention: clock.after(milliseconds: 50), deadline: deadline, store)
    insert(2, attention: nil, deadline: deadline, store)
    let hash = store.hash(of: 1)
    store.postponeAttention(1, hash: hash, until: clock.after(milliseconds: 70))
    store.postponeAttention(1, hash: hash, until: clock.after(milliseconds: 20))
    store.postponeAttention(2, hash: store.hash(of: 2), until: clock.after(milliseconds: 20))
    store.postponeAttention(3, hash: store.hash(of: 3), until: .max)
    clock.advance(milliseconds: 69)
    #expect(store.value(for: 1) == 1)
    clock.advance(milliseconds: 1)
    #expect(store.value(for: 1) == nil)
    #expect(store.value(for: 2) == 2)
    store.postponeAttention(1, hash: hash, until: .max)
    clock.advance(milliseconds: 29)
    #expect(store.value(for: 1) == 1)
    clock.advance(milliseconds: 1)
    #expect(store.peek(1) == nil)
  }

  @Test func `the deadlines proper are kept in ticks beside what hits compare`() {
    let second: Int64 = 1_000_000_000
    let now: Int64 = 1 << 50
    var times = EntryTimes(now: now, isExact: false, lateness: 0)
    times.resize(positions: 4)
    let deadline = now + 10 * second
    times.set(0, storedAt: now, deadline: deadline, keptUntil: deadline)
    #expect(times.ends.count == 0)
    let before = times.deadline(0)
    let attention = now + 8 * second
    times.set(1, storedAt: now, deadline: deadline, keptUntil: deadline, attentionAt: attention)
    times.set(2, storedAt: now, deadline: deadline, keptUntil: deadline + 1 << 30)
    times.resize(positions: 8)
    for position in 0..<3 { #expect(times.deadline(position) == before) }
    #expect(times.keptUntil(0) == before)
    #expect(times.keptUntil(1) == before)
    #expect(times.isFresh(1, now: attention - 1 << 23) == true)
    #expect(times.isFresh(1, now: attention) == false)
    #expect(times.isFresh(0, now: attention) == true)
    // The exact form has the same moments.
    let rounded = times.attention(1)
    times.set(3, storedAt: now, deadline: now + 1, keptUntil: now + 1)
    #expect(times.isExact == true)
    #expect(times.attention(1) == rounded)
    #expect(times.attention(0) == before)
    #expect(times.deadline(1) == before)
    times.postponeAttention(1, until: .max)
    #expect(times.attention(1) == before)
  }

  @Test func `attention in ticks is postponed to the deadline`() {
    let now: Int64 = 1 << 50
    var times = EntryTimes(now: now, isExact: false, lateness: 0)
    times.resize(positions: 1)
    let deadline = now + 1 << 34
    times.set(0, storedAt: now, deadline: deadline, keptUntil: deadline, attentionAt: now + 1 << 30)
    times.postponeAttention(0, until: now + 1 << 32)
    #expect(now + 1 << 32 - times.attention(0) < 1 << 22)
    times.postponeAttention(0, until: .max)
    #expect(times.attention(0) == times.deadline(0))
  }
}
