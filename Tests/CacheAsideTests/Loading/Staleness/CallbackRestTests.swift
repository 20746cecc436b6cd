import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// Two loads by callback that meet: the second does not run within the rest that the first began, nor
/// for what the first has loaded.
@Suite(.timeLimit(.minutes(60)))
struct CallbackRestTests {
  /// Answers with an error until it is told a value, and counts its runs.
  private final class Source: Sendable {
    private let state = Lock<(runs: Int, value: Int?)>((0, nil))

    var runs: Int { state.withLock { $0.runs } }

    func answers(_ value: Int) { state.withLock { $0.value = value } }

    func block(
      _ success: @Sendable (Int, Expiry) -> Void,
      _ failure: @Sendable (any Error) -> Void
    ) {
      let value = state.withLock { state in
        state.runs += 1
        return state.value
      }
      if let value { success(value, .minutes(30)) } else { failure(EngineError.boom) }
    }
  }

  private static let revalidating = CachePolicy(
    expiry: .minutes(10),
    staleWhileRevalidate: .minutes(60)
  )

  /// Loads twice, the second time after the first caller was answered and before its block runs.
  private func loadTwice(_ cache: Cache<String, Int>, _ source: Source) {
    let isFirst = Atomic(true)
    cache.load("k", block: source.block) { outer in
      #expect((try? outer.get())?.value == 1)
      guard isFirst.exchange(false, ordering: .relaxed) else { return }
      cache.load("k", block: source.block) { #expect((try? $0.get())?.value == 1) }
    }
  }

  @Test(arguments: [Setup.memory, .disk, .memoryAndDisk])
  func `T2 a load behind an answer does not run when another has failed meanwhile`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    var policy = Self.revalidating
    policy.retryAfterFailure = .minutes(20)
    let cache = try fixture.open(policy: policy)
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(601))
    let source = Source()
    loadTwice(cache, source)
    #expect(source.runs == 1)
    try await fixture.clock.advance(by: .seconds(1_199))
    loadTwice(cache, source)
    #expect(source.runs == 1)
    try await fixture.clock.advance(by: .seconds(1))
    loadTwice(cache, source)
    #expect(source.runs == 2)
    #expect(cache.statistics.refreshes == 2)
    #expect(cache.isQuiet)
  }

  @Test(arguments: [Setup.memory, .memoryAndDisk])
  func `T2 a load behind an answer does not run when another has stored meanwhile`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.revalidating)
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(601))
    let source = Source()
    source.answers(2)
    loadTwice(cache, source)
    #expect(source.runs == 1)
    #expect(cache.peek("k") == 2)
    #expect(cache.isQuiet)
  }

  @Test func `T2 a load in the foreground does not run when another has failed since it looked`()
    async throws
  {
    let clock = ManualClock()
    let store = FaultInjectingStore(try MemoryCacheStore(time: clock.timeSource))
    var policy = CachePolicy(expiry: .minutes(10), staleIfError: .minutes(60))
    policy.retryAfterFailure = .minutes(20)
    let cache = try Cache<String, Int>(name: "f", policy: policy, time: clock.timeSource) {
      Memory(.count(10))
      Store(store)
    }
    try await cache.set(1, for: "k")
    try await clock.advance(by: .seconds(601))
    // Only memory has the old value, and the first caller is held up after it has looked there.
    let gate = Gate()
    store.inject(.lose, on: .read)
    store.inject(.delay(gate), on: .read, times: 1)
    let source = Source()
    let answers = EventRecorder<CacheSource?>()
    let load: @Sendable () -> Void = {
      cache.load("k", block: source.block) { answers.record((try? $0.get())?.source) }
    }
    let first = OwnThread(load)
    await until { gate.waiting == 1 }
    load()
    #expect(answers.events == [.stale(.loadFailed)])
    gate.open()
    await first.value
    #expect(answers.events == [.stale(.loadFailed), .stale(.resting)])
    #expect(source.runs == 1)
    #expect(cache.isQuiet)
  }
}
