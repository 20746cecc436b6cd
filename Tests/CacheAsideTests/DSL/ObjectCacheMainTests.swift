import CacheAsideTesting
import Testing

@testable import CacheAside

/// The callback form with a completion on the main actor, and blocks as producers.
@Suite(.timeLimit(.minutes(60)))
struct ObjectCacheMainTests {
  private struct Failure: Error {}

  private let kept = KeptHandlers()
  private let cache: ObjectCache<Int>

  init() throws { cache = try ObjectCache<Int>(name: "main") { Memory() } }

  @MainActor
  private final class Screen {
    var shown: [Int?] = []
    let tally = EventRecorder<Void>()
    func show(_ object: Int?, _ isLoadedFromCache: Bool, _ error: (any Error)?) {
      MainActor.assertIsolated()
      shown.append(object)
      tally.record(())
    }
  }

  @Test @MainActor
  func `what is ready is shown within the call`() {
    let screen = Screen()
    cache["k"] = 1
    cache.setObject(forKey: "k", cacheBlock: { _, _ in }, completionOnMain: screen.show)
    #expect(screen.shown == [1])
    cache.setObject(
      forKey: "new",
      cacheBlock: { success, _ in success(2, .never) },
      completionOnMain: screen.show
    )
    #expect(screen.shown == [1, 2])
    cache.setObject(
      forKey: "bad",
      cacheBlock: { _, failure in failure(Failure()) },
      completionOnMain: screen.show
    )
    #expect(screen.shown == [1, 2, nil])
  }

  @Test @MainActor
  func `what comes later is shown on the main actor`() async throws {
    let screen = Screen()
    cache.setObject(
      forKey: "k",
      cacheBlock: { [kept] in kept.keep($0, $1) },
      completionOnMain: screen.show
    )
    #expect(screen.shown.isEmpty)
    ObjectCacheFixture.onOtherThread { [kept] in kept.succeed(3) }
    try await screen.tally.waitForCount(1)
    #expect(screen.shown == [3])
  }

  @Test
  func `a block stands wherever a producer does`() async throws {
    let feature = try Caches.inMemory["a"]
    let value = try await feature.cached(key: "k") {
      try await Produced { success, _ in success(1, .never) }
    }
    #expect(value == 1)
    let function = feature.cached("f") { (number: Int) in
      try await Produced { success, failure in
        success(number, .never)
        failure(Failure())
      }
    }
    #expect(try await function(5) == 5)
    #expect(function.peek(5) == 5)
  }

  @Test
  func `B111 a block as a producer answers later, fails, or is abandoned`() async throws {
    let feature = try Caches.inMemory["a"]
    async let later = feature.cached(key: "later") { [kept] in
      try await Produced<Int> { success, failure in
        kept.keep(success, failure)
        ObjectCacheFixture.onOtherThread { kept.succeed(1) }
      }
    }
    #expect(try await later == 1)
    await #expect(throws: Failure.self) {
      _ = try await feature.cached(key: "bad") {
        try await Produced<Int> { _, failure in failure(Failure()) }
      }
    }
    let abandoned = await #expect(throws: CacheError.self) {
      _ = try await feature.cached(key: "never") { try await Produced<Int> { _, _ in } }
    }
    #expect(abandoned?.code == .abandoned)
  }
}
