import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60))) struct MemoryStoreListenerBoundTests {
  @Test func `removals beyond the queue of a slow listener are counted, the rest told in order`()
    throws
  {
    // The listener that is being told removes far more than may wait.
    final class Box: Sendable {
      let store = Lock<MemoryStore<Int, Int>?>(nil)
      let told = Lock<[Int]>([])
    }
    let box = Box()
    let store = try MemoryStore<Int, Int>(limits: .count(100), exact: true) { key, value, _ in
      box.told.withLock { $0.append(value) }
      guard key == -1, let store = box.store.withLock({ $0 }) else { return }
      for value in 0..<12_001 { store.insert(value, for: 1) }
    }
    box.store.withLock { $0 = store }
    store.insert(0, for: -1)
    store.remove(-1)
    box.store.withLock { $0 = nil }
    // 12,000 were replaced, of which 10,000 could wait.
    #expect(box.told.withLock { $0 } == [0] + Array(0..<10_000))
    #expect(store.counters.droppedNotices == 2_000)
    #expect(store.counters.replaced == 12_000)
  }

  @Test func `nothing is dropped while nobody is being told`() throws {
    let count = Atomic<Int>(0)
    let store = try MemoryStore<Int, Int>(limits: .unlimited, exact: true) { _, _, _ in
      count.add(1, ordering: .relaxed)
    }
    for key in 0..<30_000 { store.insert(key, for: key) }
    store.removeAll()
    #expect(count.load(ordering: .relaxed) == 30_000)
    #expect(store.counters.droppedNotices == 0)
  }
}
