import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60))) struct MemoryStoreListenerTests {
  private struct Removal: Hashable { var key: Int, value: Int, reason: RemovalReason }

  /// What a listener heard, in order.
  private final class Log: Sendable {
    let removals = Lock<[Removal]>([])
    func note(_ key: Int, _ value: Int, _ reason: RemovalReason) {
      removals.withLock { $0.append(Removal(key: key, value: value, reason: reason)) }
    }
    var all: [Removal] { removals.withLock { $0 } }
  }

  @Test func `tells every reason`() throws {
    let clock = HandClock()
    let log = Log()
    let store = try MemoryStore<Int, Int>(
      limits: .count(2),
      policy: .fifo,
      time: clock.source
    ) { log.note($0, $1, $2) }
    store.insert(1, for: 1)
    store.insert(2, for: 1)
    store.insert(3, for: 2)
    store.insert(4, for: 3)
    store.remove(2)
    store.insert(5, for: 4, deadline: clock.after(milliseconds: 5))
    clock.advance(milliseconds: 5)
    #expect(store.value(for: 4) == nil)
    store.removeAll { $0 == 3 }
    store.insert(6, for: 5)
    store.removeAll()
    let expected = [
      Removal(key: 1, value: 1, reason: .replaced),
      Removal(key: 1, value: 2, reason: .capacity),
      Removal(key: 2, value: 3, reason: .explicit),
      Removal(key: 4, value: 5, reason: .expired),
      Removal(key: 3, value: 4, reason: .invalidated),
      Removal(key: 5, value: 6, reason: .invalidated),
    ]
    #expect(log.all == expected)
    for reason in RemovalReason.allCases {
      #expect(store.counters[reason] == UInt64(expected.count { $0.reason == reason }))
    }
  }

  @Test func `B079 a listener may use the cache, and hears of each eviction once`() async throws {
    // The listener reaches the store that it belongs to through this box.
    final class Box: Sendable {
      let store = Lock<MemoryStore<Int, Int>?>(nil)
      let heard = Lock<[Int: Int]>([:])
    }
    let box = Box()
    let store = try MemoryStore<Int, Int>(limits: .count(2)) { key, _, reason in
      if reason == .capacity { box.heard.withLock { $0[key, default: 0] += 1 } }
      guard let store = box.store.withLock({ $0 }) else { return }
      _ = store.value(for: key)
      if key < 1_000 { store.insert(0, for: 1_000_000 + key) }
      store.remove(2_000_000 + key)
    }
    box.store.withLock { $0 = store }
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for key in stride(from: task, to: 100, by: 8) {
            store.insert(key, for: key)
            #expect(store.count <= 2)
          }
        }
      }
    }
    box.store.withLock { $0 = nil }
    let heard = box.heard.withLock { $0 }
    #expect(heard.values.allSatisfy { $0 == 1 })
    #expect(UInt64(heard.count) == store.counters.evicted)
    #expect(store.counters.insertions == store.counters.evicted + UInt64(store.count))
  }

  @Test func `tells the versions of one key in order, from whatever thread`() async throws {
    let log = Log()
    let store = try MemoryStore<Int, Int>(limits: .unlimited) { log.note($0, $1, $2) }
    let hash = store.hash(of: 7)
    final class Counter: Sendable { let next = Lock(0) }
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<2_000 {
            // As the engine does: its own lock around the insert, the displaced outside of it.
            var displaced = store.makeDisplaced(for: hash)
            counter.next.withLock {
              $0 += 1
              _ = store.insert(
                $0,
                for: 7,
                hash: hash,
                storedAt: 0,
                deadline: .max,
                cost: 1,
                displaced: &displaced
              )
            }
          }
        }
      }
    }
    #expect(log.all.map(\.value) == Array(1..<8_000))
  }

  /// A value whose end uses the cache that it was in.
  private final class Returning: Sendable {
    let store: MemoryStore<Int, Returning>
    init(_ store: MemoryStore<Int, Returning>) { self.store = store }
    deinit { _ = store.count + store.keys().count }
  }

  @Test func `releases what it displaces after unlocking`() throws {
    let clock = HandClock()
    let store = try MemoryStore<Int, Returning>(limits: .count(2), time: clock.source)
    let soon = clock.after(milliseconds: 5)
    for key in 0..<10 { store.insert(Returning(store), for: key) }
    store.insert(Returning(store), for: 9)
    store.remove(9)
    store.insert(Returning(store), for: 20, deadline: soon)
    clock.advance(milliseconds: 5)
    #expect(store.value(for: 20) == nil)
    store.insert(Returning(store), for: 21, deadline: clock.after(milliseconds: 5))
    clock.advance(milliseconds: 5)
    store.removeExpired()
    store.insert(Returning(store), for: 22)
    store.trim(toFraction: 0)
    store.insert(Returning(store), for: 23)
    store.removeAll()
    #expect(store.count == 0)
  }

  @Test func `a caller may hold the displaced until its own lock is free`() throws {
    final class Witness: Sendable {
      let ends: Lock<Int>
      init() { ends = Lock(0) }
    }
    final class Value: Sendable {
      let witness: Witness
      init(_ witness: Witness) { self.witness = witness }
      deinit { witness.ends.withLock { $0 += 1 } }
    }
    let witness = Witness()
    let store = try MemoryStore<Int, Value>(limits: .count(1))
    store.insert(Value(witness), for: 1)
    let hash = store.hash(of: 2)
    do {
      var displaced = store.makeDisplaced(for: hash)
      let isStored = store.insert(
        Value(witness),
        for: 2,
        hash: hash,
        storedAt: 0,
        deadline: .max,
        cost: 1,
        displaced: &displaced
      )
      #expect(isStored)
      #expect(store.count == 1)
      #expect(witness.ends.withLock { $0 } == 0)
      _ = consume displaced
    }
    #expect(witness.ends.withLock { $0 } == 1)
  }
}
