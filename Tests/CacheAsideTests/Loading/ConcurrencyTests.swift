import Synchronization
import Testing

@testable import CacheAside
@testable import CacheAsideTesting

@Suite(.timeLimit(.minutes(60)), .serialized)
struct ConcurrencyTests {
  @Test func `B097 F1 a thousand callers cost one run, two hundred times`() async throws {
    let cache = try CacheFixture(.memory).open(expiry: .hours(1))
    for round in 0..<200 {
      let producer = CountingProducer<Int>.returning(42)
      await withTaskGroup { group in
        for _ in 0..<1_000 {
          group.addTask { try? await cache.cached("\(round)") { try await producer() } }
        }
        for await value in group where value != 42 { Issue.record("a caller got no 42") }
      }
      #expect(producer.calls == 1)
    }
    let statistics = cache.statistics
    #expect(statistics.misses == 200)
    #expect(statistics.coalesced + statistics.hits == 200 * 999)
  }

  @Test func `B099 loads, writes and removals at random leave a table that agrees`()
    async throws
  {
    let fixture = try CacheFixture(.memoryAndDisk)
    let small = try fixture.open(Int.self, limits: .count(8))
    let memory = try CacheFixture(.memory).open(Int.self, limits: .count(8))
    // Disk calls cost some 50 µs each, so most of the operations go to memory alone.
    await churn(small, operations: 500)
    await churn(memory, operations: 12_500)
    for cache in [small, memory] {
      #expect(cache.count <= 8)
      #expect(cache.memory.keys().count == cache.count)
      #expect(cache.isQuiet)
      try await cache.removeAll()
      #expect(cache.count == 0)
      #expect(cache.totalCost == 0)
    }
  }

  private func churn(_ cache: Cache<String, Int>, operations: Int) async {
    await withTaskGroup { group in
      for task in 0..<16 {
        group.addTask {
          var random = SplitMix64(seed: UInt64(task))
          for step in 0..<operations {
            let number = Int(random.next() % 32)
            let key = "\(number)"
            do {
              switch random.next() % 16 {
              case 0..<9:
                let value = try await cache.cached(key) { number }
                if value != number { Issue.record("key \(key) gave \(value)") }
              case 9..<12: try await cache.set(number, for: key)
              case 12: cache[key] = number
              case 13: cache[key] = nil
              case 14: try await cache.remove(key)
              default: if step % 8 == 0 { try await cache.removeAll() }
              }
            } catch { Issue.record(error) }
          }
        }
      }
    }
  }

  @Test func `B100 threads and tasks may use one cache at once`() async throws {
    let cache = try CacheFixture(.memory).open(Int.self, limits: .count(64))
    let threads = (0..<4).map { thread in
      OwnThread {
        var random = SplitMix64(seed: UInt64(thread))
        for _ in 0..<25_000 {
          let key = "\(random.next() % 100)"
          switch random.next() % 5 {
          case 0: cache[key] = thread
          case 1: cache[key] = nil
          case 2: if cache.count > 66 { return false }
          case 3: if cache.memory.keys().count > 66 { return false }
          default: _ = cache[key]
          }
        }
        return true
      }
    }
    await withTaskGroup { group in
      for task in 0..<4 {
        group.addTask {
          for step in 0..<25_000 { _ = try? await cache.cached("\(step % 100)") { task } }
        }
      }
    }
    for thread in threads { #expect(await thread.value) }
    #expect(cache.isQuiet)
  }

  @Test func `B101 bulk removal may be asked for from completions and listeners`() async throws {
    let fixture = try CacheFixture(.memoryAndDisk)
    let removed = EventRecorder<Int>()
    let slot = Lock<Cache<String, Int>?>(nil)
    let cache = try Cache<String, Int>(
      name: "feature",
      time: fixture.clock.timeSource,
      onRemoval: { _, value, _ in
        removed.record(value)
        let cache = slot.withLock { $0 }
        if value == 1 { cache?.removeExpiredBlocking() }
        if value == 2 { try? cache?.removeAllBlocking() }
      },
      stores: {
        Memory()
        Store(try fixture.disk())
      }
    )
    slot.withLock { $0 = cache }
    for index in 0..<100 {
      try await cache.set(index, for: "\(index)", expiry: index < 50 ? .seconds(1) : .hours(1))
    }
    try await fixture.clock.advance(by: .milliseconds(1_000))
    let counts = EventRecorder<Int>()
    cache.load("call", block: { success, _ in success(1_000, .seconds(0)) }) { _ in
      cache.removeExpiredBlocking()
      counts.record(cache.entriesBlocking(includeExpired: true).count)
      try? cache.removeAllBlocking()
      counts.record(cache.entriesBlocking(includeExpired: true).count)
    }
    // The listener for the value 2 may empty the cache first.
    #expect(counts.events.last == 0)
    #expect(removed.events.contains(1))
    #expect(try await cache.entries().isEmpty)
    slot.withLock { $0 = nil }
  }

  @Test func `B102 ten thousand concurrent calls on disk end, half of them nested`()
    async throws
  {
    let cache = try CacheFixture(.disk).open()
    let ended = await withTaskGroup { group in
      for index in 0..<10_000 {
        group.addTask {
          let value = try? await cache.cached("\(index)") {
            guard index % 2 == 1 else { return index }
            return try await cache.cached("\(index - 1)") { index - 1 } + 1
          }
          return value == index
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(ended == 10_000)
    #expect(cache.isQuiet)
  }
}
