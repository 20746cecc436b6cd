import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// Removal listeners that store again what they are told of.
@Suite(.timeLimit(.minutes(60))) struct RemovalListenerTests {
  /// A cache whose listener reaches it, and what the listener was told.
  private final class Listening: Sendable {
    let told = EventRecorder<String>()
    let cache = Lock<Cache<String, Int>?>(nil)

    func open(_ setup: Setup, _ fixture: CacheFixture, _ limits: MemoryLimits) throws -> Cache<
      String, Int
    > {
      let made = try Cache<String, Int>(
        name: "feature",
        time: fixture.clock.timeSource,
        onRemoval: { [self] key, value, _ in
          told.record("\(key)=\(value)")
          cache.withLock { $0 }?[key] = value + 1
        },
        stores: {
          if setup.hasMemory { Memory(limits) }
          if setup != .memory { Store(try fixture.disk()) }
        }
      )
      cache.withLock { $0 = made }
      return made
    }

    func close() { cache.withLock { $0 = nil } }
  }

  private enum Clear: String, CaseIterable {
    case all, blocking, selector, blockingSelector, condition
  }

  @Test(arguments: [Setup.memory, .memoryAndDisk])
  func `a clear tells each key once and leaves what the listener stores (B240)`(
    setup: Setup
  ) async throws {
    for clear in Clear.allCases {
      let fixture = try CacheFixture(setup)
      let listening = Listening()
      // Sixteen parts, so that what is stored while one is cleared may lie in another.
      let cache = try listening.open(setup, fixture, .count(8_192))
      let keys = (0..<200).map { "\($0)" }
      for key in keys { cache[key] = 10 }
      switch clear {
      case .all: try await cache.removeAll()
      case .blocking: try cache.removeAllBlocking()
      case .selector: try await cache.remove(.all)
      case .blockingSelector: try cache.removeBlocking(.all)
      case .condition: try await cache.remove(.where { _ in true })
      }
      #expect(listening.told.events.sorted() == keys.map { "\($0)=10" }.sorted(), "\(clear)")
      for key in keys { #expect(cache[key] == 11, "\(clear)") }
      listening.close()
      if setup == .memory { continue }
      let other = try fixture.open(Int.self)
      for key in keys { #expect(other[key] == 11, "\(clear)") }
    }
  }

  @Test func `a listener that stores again what capacity evicted ends (B404)`() throws {
    let fixture = try CacheFixture(.memory)
    let listening = Listening()
    let cache = try listening.open(.memory, fixture, .count(100))
    let events = EventRecorder<CacheEvent>()
    cache.observe(RecordingObserver(recorder: events))
    for key in 0..<1_000 { cache["\(key)"] = 0 }
    listening.close()
    // Each put evicts one; the listener's own insert may evict another, and the next one is refused.
    #expect(listening.told.events.count <= 2 * 1_000)
    #expect(events.events.contains { $0.kind == .rejected })
    #expect(cache.memory.count <= 100)
    let statistics = cache.statistics
    #expect(statistics.removals.values.reduce(0, +) == UInt64(listening.told.events.count))
  }

  @Test func `a listener that stores again what was replaced ends (B404)`() throws {
    let fixture = try CacheFixture(.memory)
    let listening = Listening()
    let cache = try listening.open(.memory, fixture, .count(100))
    for value in [10, 20, 30] { cache["k"] = value }
    listening.close()
    #expect(listening.told.events.count <= 3 * 3)
    #expect(cache["k"] != nil)
  }

  @Test(arguments: EvictionPolicy.allCases)
  func `a trim and a smaller limit end though the listener stores again (B404)`(
    policy: EvictionPolicy
  ) throws {
    final class Box: Sendable { let store = Lock<MemoryStore<Int, Int>?>(nil) }
    let box = Box()
    let told = Atomic<Int>(0)
    let store = try MemoryStore<Int, Int>(limits: .count(1_000), policy: policy) { key, value, _ in
      told.add(1, ordering: .relaxed)
      box.store.withLock { $0 }?.insert(value, for: key)
    }
    for key in 0..<1_000 { store.insert(key, for: key) }
    let before = told.load(ordering: .relaxed)
    box.store.withLock { $0 = store }
    let count = store.count
    #expect(store.trim(toFraction: 0.5) >= count - count / 2 - 1)
    #expect(told.load(ordering: .relaxed) - before <= 3 * count)
    try store.setLimits(.count(64))
    #expect(store.count <= 64)
    box.store.withLock { $0 = nil }
  }

  @Test func `a task that a listener has started stores like any other (B404)`() async throws {
    let (tasks, started) = AsyncStream<Task<Bool, Never>>.makeStream()
    final class Box: Sendable { let store = Lock<MemoryStore<Int, Int>?>(nil) }
    let box = Box()
    let gate = Gate()
    let store = try MemoryStore<Int, Int>(limits: .count(1), exact: true) { key, _, _ in
      guard let store = box.store.withLock({ $0 }) else { return }
      if key == 1 { store.insert(2, for: 2) }
      guard key == 0 else { return }
      // Told of a removal that a listener's insert has caused, this one may remove nothing; the task
      // that it starts runs after it.
      started.yield(
        Task {
          try? await gate.wait()
          return store.insert(9, for: 9)
        }
      )
    }
    box.store.withLock { $0 = store }
    store.insert(0, for: 0)
    store.insert(1, for: 1)
    gate.open()
    var iterator = tasks.makeAsyncIterator()
    let task = try #require(await iterator.next())
    #expect(await task.value)
    box.store.withLock { $0 = nil }
  }
}
