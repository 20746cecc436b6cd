import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60))) struct MemoryStoreConcurrencyTests {
  /// The largest of many numbers.
  private final class Maximum: Sendable {
    let value = Atomic(0)
    func note(_ number: Int) { value.max(number, ordering: .relaxed) }
  }

  @Test func `B086 S5 holds the cost limit under load and counts right`() async throws {
    let limit = 1 << 20
    let clock = HandClock()
    let store = try MemoryStore<Int, Int>(
      limits: MemoryLimits(costLimit: limit, expectedEntryCost: 1_024),
      time: clock.source
    )
    #expect(store.shardCount > 1)
    let most = Maximum()
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          var random = SplitMix(state: UInt64(task))
          for step in 0..<25_000 {
            let key = Int.random(in: 0..<2_000, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<3:
              let cost = Int.random(in: 100...4_096, using: &random)
              let deadline = step % 3 == 0 ? clock.after(milliseconds: 3) : .max
              store.insert(cost, for: key, deadline: deadline, cost: cost)
            case 3: store.remove(key)
            case 4:
              let hash = store.hash(of: key)
              store.expire(key, hash: hash, at: clock.now, staleIfError: 0, keepExpired: .max)
            case 5: clock.advance(milliseconds: 1)
            default: _ = store.value(for: key)
            }
            if step % 64 == 0 { most.note(store.totalCost) }
          }
        }
      }
    }
    var recount = 0
    store.forEach { _, entry in
      #expect(entry.value == entry.cost)
      recount += entry.cost
      return true
    }
    #expect(store.totalCost == recount)
    #expect(most.value.load(ordering: .relaxed) <= limit)
    let counters = store.counters
    let left = RemovalReason.allCases.reduce(UInt64(0)) { $0 + counters[$1] }
    #expect(counters.insertions == left + UInt64(store.count))
  }

  @Test func `S5 holds the count limit under load with every policy`() async throws {
    for policy in EvictionPolicy.allCases {
      let store = try MemoryStore<String, Int>(limits: .count(1_000), policy: policy)
      await withTaskGroup { group in
        for task in 0..<8 {
          group.addTask {
            var random = SplitMix(state: UInt64(100 + task))
            for step in 0..<6_000 {
              let number = Int.random(in: 0..<3_000, using: &random)
              let key = "key \(number)"
              if let value = store.value(for: key) {
                #expect(value == number)
              } else {
                store.insert(number, for: key)
              }
              if step % 64 == 0 { #expect(store.count <= 1_000) }
              if step % 1_000 == 999 && task == 0 { store.removeAll() }
            }
          }
        }
      }
      #expect(store.count <= 1_000)
      #expect(Set(store.keys()).count == store.count)
    }
  }

  @Test func `a deadline set elsewhere is seen by readers that knew of no clock`() async throws {
    let clock = HandClock()
    for round in 0..<200 {
      let store = try MemoryStore<Int, Int>(limits: .unlimited, time: clock.source)
      await withTaskGroup { group in
        group.addTask {
          // Expired from the moment it is stored, as far as any reader is concerned.
          store.insert(round, for: 1, deadline: clock.after(milliseconds: 5))
          clock.advance(milliseconds: 5)
          #expect(store.value(for: 1) == nil)
        }
        for _ in 0..<2 { group.addTask { _ = store.value(for: 1) } }
      }
      #expect(store.value(for: 1) == nil)
    }
  }
}
