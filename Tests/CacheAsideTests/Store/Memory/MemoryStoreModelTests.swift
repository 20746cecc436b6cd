import Testing

@testable import CacheAside

/// A key that counts how often it is hashed.
private struct CountingKey: Hashable, Sendable {
  let number: Int
  let counter: HandClock

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
  func hash(into hasher: inout Hasher) {
    _ = counter.monotonicNanoseconds
    hasher.combine(number)
  }
}

@Suite struct MemoryStoreModelTests {
  private struct Modelled { var value: Int, deadline: Int64, cost: Int }

  /// Random operations beside a dictionary; `isLossy` when entries may be evicted.
  private func run<Key: Hashable & Sendable>(
    _ store: MemoryStore<Key, Int>,
    _ clock: HandClock,
    seed: UInt64,
    isLossy: Bool,
    key: (Int) -> Key
  ) {
    var random = SplitMix(state: seed)
    var model: [Key: Modelled] = [:]
    for step in 0..<30_000 {
      let key = key(Int.random(in: 0..<1_500, using: &random))
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4:
        let lifetime = Int64.random(in: -2...60, using: &random)
        let deadline = lifetime > 50 ? Int64.max : clock.after(milliseconds: lifetime)
        let cost = Int.random(in: 0..<9, using: &random)
        let isStored = store.insert(step, for: key, deadline: deadline, cost: cost)
        #expect(isStored == (lifetime > 0))
        model[key] = isStored ? Modelled(value: step, deadline: deadline, cost: cost) : nil
      case 4..<9:
        let known = model[key].flatMap { $0.deadline > clock.now ? $0.value : nil }
        let found = store.value(for: key)
        #expect(found == known || isLossy && found == nil)
      case 9:
        let removed = store.remove(key)
        if !isLossy, let known = model[key], known.deadline > clock.now {
          #expect(removed == known.value)
        }
        model[key] = nil
      case 10:
        let hash = store.hash(of: key)
        let there = store.expire(
          key,
          hash: hash,
          at: clock.now,
          staleIfError: 0,
          keepExpired: .max
        )
        if there, var known = model[key] {
          known.deadline = min(known.deadline, clock.now)
          model[key] = known
        }
      default:
        clock.advance(milliseconds: 1)
        if step % 50 == 0 { store.removeExpired() }
      }
    }
    store.removeExpired(staleToo: true)
    var cost = 0
    var count = 0
    store.forEach { key, entry in
      #expect(model[key]?.value == entry.value)
      #expect(model[key]?.cost == entry.cost)
      #expect(model[key]?.deadline == entry.deadline)
      cost += entry.cost
      count += 1
      return true
    }
    #expect(store.count == count)
    #expect(store.totalCost == cost)
    if !isLossy { #expect(count == model.values.count { $0.deadline > clock.now }) }
  }

  @Test(arguments: [UInt64(1), 2])
  func `an unlimited store is a dictionary with deadlines`(seed: UInt64) throws {
    let clock = HandClock()
    let time = clock.source
    run(
      try MemoryStore<Int, Int>(limits: .unlimited, time: time),
      clock,
      seed: seed,
      isLossy: false
    ) { $0 }
    run(
      try MemoryStore<String, Int>(limits: .unlimited, time: time),
      clock,
      seed: seed,
      isLossy: false
    ) { "key \($0)" }
  }

  @Test(arguments: EvictionPolicy.allCases)
  func `a bounded store is a part of that dictionary`(policy: EvictionPolicy) throws {
    for limits in [
      MemoryLimits.count(300), .count(900), .cost(2_000),
      MemoryLimits(countLimit: 400, costLimit: 1_000),
    ] {
      let clock = HandClock()
      let store = try MemoryStore<String, Int>(
        limits: limits,
        policy: policy,
        time: clock.source
      )
      run(store, clock, seed: 9, isLossy: true) { "key \($0)" }
    }
  }

  @Test func `B081 every structure shrinks with the table`() throws {
    let clock = HandClock()
    let store = try MemoryStore<Int, Int>(limits: .count(100), time: clock.source)
    for key in 0..<100_000 {
      store.insert(key, for: key, deadline: clock.after(milliseconds: 3_600_000), cost: 2)
    }
    func check(_ expected: Int) {
      let sizes = store.withTable(0) { table in
        var words = 0
        table.forEachPosition { _ in words += 1 }
        return [words, table.core.count, table.core.queued, table.core.totalCost / 2]
      }
      #expect(sizes == [expected, expected, expected, expected])
      #expect(store.withTable(0) { $0.core.table.used } <= 100)
    }
    check(100)
    for key in store.keys().prefix(50) { store.remove(key) }
    check(50)
    clock.advance(milliseconds: 3_600_000)
    store.insert(1, for: 1, cost: 2)
    store.removeExpired()
    check(1)
    store.removeAll()
    check(0)
    #expect(store.withTable(0) { $0.core.table.capacity } == 0)
  }

  @Test func `hashes a key once an operation, also when it grows and evicts`() throws {
    let counter = HandClock()
    for limits in [MemoryLimits.unlimited, .count(1_000)] {
      let store = try MemoryStore<CountingKey, Int>(limits: limits)
      let before = counter.timesRead
      for number in 0..<10_000 {
        store.insert(number, for: CountingKey(number: number, counter: counter))
      }
      #expect(counter.timesRead - before == 10_000)
      for number in 0..<10_000 {
        _ = store.value(for: CountingKey(number: number, counter: counter))
      }
      #expect(counter.timesRead - before == 20_000)
    }
  }
}
