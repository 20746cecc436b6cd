import CacheAside
import CacheAsideTesting
import Testing

@Suite(.timeLimit(.minutes(60)))
struct FaultInjectingStoreTests {
  private enum E: Error { case boom, late }

  private let key = CacheKey(stringLiteral: "k").within(Namespace("n"))
  private let entry = CacheEntry(payload: [1, 2, 3, 4], codec: .raw, type: 1, created: 0)
  private let base = FlawedStore()
  private let store: FaultInjectingStore<FlawedStore>

  init() { store = FaultInjectingStore(base) }

  @Test(arguments: CacheStoreConformance<FaultInjectingStore<FlawedStore>>.Check.allCases)
  func `without faults it keeps the store contract`(
    check: CacheStoreConformance<FaultInjectingStore<FlawedStore>>.Check
  ) async throws {
    try await CacheStoreConformance {
      FaultInjectingStore(FlawedStore())
    } reopen: {
      FaultInjectingStore(FlawedStore(reopening: $0.base))
    }.run(check)
  }

  @Test func `a failure happens as often as told and does nothing else`() async throws {
    store.inject(.fail(E.boom), on: .write, times: 2)
    await #expect(throws: E.boom) { try await store.set(entry, for: key) }
    #expect(throws: E.boom) { try store.setBlocking(entry, for: key) }
    #expect(try await base.entry(for: key) == nil)
    try await store.set(entry, for: key)
    #expect(try await store.entry(for: key) == entry)
  }

  @Test func `a lasting failure ends by healing`() async throws {
    store.inject(.fail(E.boom), on: .read, .scan)
    for _ in 0..<3 {
      await #expect(throws: E.boom) { try await store.entry(for: key) }
      await #expect(throws: E.boom) { try await store.scan(nil) { _, _ in true } }
    }
    try await store.set(entry, for: key)
    store.heal()
    #expect(try await store.entry(for: key) == entry)
  }

  @Test func `every kind of operation can fail, blocking or not`() async throws {
    store.inject(.fail(E.boom), on: .remove, .removeAll, .removeIfUnchanged, .removeExpired)
    store.inject(.fail(E.boom), on: .usage, .flush)
    await #expect(throws: E.boom) { try await store.remove(key) }
    await #expect(throws: E.boom) { try await store.removeAll(in: nil) }
    await #expect(throws: E.boom) { try await store.remove(key, ifUnchanged: entry) }
    await #expect(throws: E.boom) { try await store.removeExpired() }
    await #expect(throws: E.boom) { try await store.usage() }
    await #expect(throws: E.boom) { try await store.flush() }
    #expect(throws: E.boom) { try store.removeBlocking(key) }
    #expect(throws: E.boom) { try store.removeAllBlocking(in: nil) }
    #expect(throws: E.boom) { try store.removeBlocking(key, ifUnchanged: entry) }
    #expect(throws: E.boom) { try store.removeExpiredBlocking() }
  }

  @Test func `a late failure reports a write that was done`() async throws {
    store.inject(.failAfterwards(E.late), on: .write, times: 1)
    await #expect(throws: E.late) { try await store.set(entry, for: key) }
    #expect(try await base.entry(for: key) == entry)
  }

  @Test func `a lossy store acknowledges what it forgets`() async throws {
    store.inject(.lose, on: .write, times: 1)
    try await store.set(entry, for: key)
    #expect(try await base.entry(for: key) == nil)
    try await store.set(entry, for: key)
    store.inject(.lose, on: .remove, .removeAll, .removeIfUnchanged, .read)
    try await store.remove(key)
    try await store.removeAll(in: nil)
    #expect(try store.removeBlocking(key, ifUnchanged: entry))
    #expect(try await store.entry(for: key) == nil)
    #expect(try await base.entry(for: key) == entry)
  }

  @Test func `torn and garbled entries are not what was written`() async throws {
    store.inject(.tear, on: .write, times: 1)
    try await store.set(entry, for: key)
    #expect(try await store.entry(for: key)?.payload == [1, 2])
    try await store.set(entry, for: key)
    store.inject(.garble, on: .read, times: 1)
    #expect(try await store.entry(for: key)?.payload == [254, 253, 252, 251])
    #expect(try store.entryBlocking(for: key) == entry)
  }

  @Test func `a delayed operation waits at its gate, then meets its other faults`() async throws {
    let gate = Gate()
    store.inject(.fail(E.boom), on: .read)
    store.inject(.delay(gate), on: .read)
    let read = Task { try await store.entry(for: key) }
    try await gate.waitForArrivals(1)
    read.cancel()
    gate.open()
    await #expect(throws: E.boom) { try await read.value }
  }

  @Test func `a delayed blocking read holds its thread, not the clock`() async throws {
    let clock = ManualClock()
    let store = FaultInjectingStore(base, clock: clock)
    let gate = Gate()
    store.inject(.delay(gate), on: .read)
    let token = clock.beginWork("read")
    let read = Task {
      try await store.onStoreThread {
        defer { clock.endWork(token) }
        return try store.entryBlocking(for: key)
      }
    }
    try await gate.waitForArrivals(1)
    try await clock.advance(by: .seconds(1))
    gate.open()
    #expect(try await read.value == nil)
    try await clock.settle()
    #expect(clock.openWork.isEmpty)
  }

  @Test(arguments: [StoreOperation.Kind.read, .write], [false, true])
  func `a gate around a store without threads holds the call, not the clock (B394)`(
    kind: StoreOperation.Kind,
    knowsClock: Bool
  ) async throws {
    let clock = ManualClock()
    let memory = try MemoryCacheStore(time: clock.timeSource)
    let store = FaultInjectingStore(memory, clock: knowsClock ? clock : nil)
    let gate = Gate()
    store.inject(.delay(gate), on: kind)
    let cache = try Cache<String, Int>(name: "f", time: clock.timeSource) {
      Memory(.count(10))
      Store(store)
    }
    try await clock.run {
      let caller = clock.startTask { try await cache.cached("k") { 1 } }
      try await clock.advance(by: .seconds(1))
      #expect(gate.waiting == 1)
      gate.open()
      #expect(try await caller.value == 1)
    }
    #expect(await memory.usage().entries == 1)
  }
}
