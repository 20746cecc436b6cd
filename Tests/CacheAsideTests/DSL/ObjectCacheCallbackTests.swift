import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// The callback form: one completion, on a known thread; one block for all callers.
@Suite(.timeLimit(.minutes(60)))
struct ObjectCacheCallbackTests {
  private struct Failure: Error {}

  private let fixture: ObjectCacheFixture
  private let kept = KeptHandlers()
  private var answers: [ObjectAnswer] { fixture.answers.events }

  init() throws { fixture = try ObjectCacheFixture() }

  @Test
  func `a hit of memory or disk completes at once on the caller's thread`() throws {
    fixture.cache["k"] = 1
    let next = try ObjectCacheFixture(reopening: fixture)
    for _ in 0..<2 {
      next.load("k") { _, _ in Issue.record("the block ran for a hit") }
    }
    let answers = next.answers.events
    #expect(answers.map(\.object) == [1, 1])
    #expect(answers.allSatisfy { $0.isLoadedFromCache && $0.error == nil })
    #expect(answers.allSatisfy { $0.thread == CurrentThread.identifier })
    #expect(next.cache.isOnMemory(forKey: "k"))
  }

  @Test
  func `a block that answers synchronously completes within the call`() throws {
    fixture.load("k") { success, _ in success(1, .seconds(10)) }
    fixture.load("bad") { _, failure in failure(Failure()) }
    #expect(answers.count == 2)
    #expect(answers[0].object == 1 && !answers[0].isLoadedFromCache && answers[0].error == nil)
    #expect(answers[1].object == nil && !answers[1].isLoadedFromCache)
    #expect(answers[1].error is Failure)
    #expect(answers.allSatisfy { $0.thread == CurrentThread.identifier })
    #expect(try ObjectCacheFixture(reopening: fixture).cache["k"] == 1)
    #expect(fixture.cache["bad"] == nil)
    #expect(fixture.events.events.map(\.kind) == [.loadFailed])
  }

  @Test
  func `the block's expiry holds`() async throws {
    fixture.load("k") { success, _ in success(1, .seconds(10)) }
    fixture.load("zero") { success, _ in success(2, .seconds(0)) }
    fixture.load("nan") { success, _ in success(3, .seconds(.nan)) }
    #expect(answers.map(\.object) == [1, 2, nil])
    #expect(answers[2].code == .invalidExpiry)
    #expect(fixture.cache["k"] == 1 && fixture.cache["zero"] == nil)
    try await fixture.clock.advance(by: .seconds(10))
    #expect(fixture.cache["k"] == nil)
  }

  @Test
  func `B111 a later answer completes on the thread that gives it`() async throws {
    fixture.load("k") { [kept] in kept.keep($0, $1) }
    #expect(answers.isEmpty)
    ObjectCacheFixture.onOtherThread { [kept] in kept.succeed(1) }
    try await fixture.answers.waitForCount(1)
    let answer = answers[0]
    #expect(answer.object == 1 && !answer.isLoadedFromCache)
    #expect(fixture.cache["k"] == 1)
  }

  @Test
  func `B111 a later answer comes on the answering thread itself`() throws {
    fixture.load("k") { [kept] in kept.keep($0, $1) }
    kept.succeed(1)
    #expect(answers.map(\.thread) == [CurrentThread.identifier])
  }

  @Test(arguments: 0..<4)
  func `B111 of several answers the first counts and the rest are events`(variant: Int) throws {
    fixture.load("k") { success, failure in
      switch variant {
      case 0:
        success(1, .never)
        success(2, .never)
      case 1:
        success(1, .never)
        failure(Failure())
      case 2:
        failure(Failure())
        success(2, .never)
      default:
        failure(Failure())
        failure(CancellationError())
      }
    }
    #expect(answers.count == 1)
    #expect(answers[0].object == (variant < 2 ? 1 : nil))
    #expect((answers[0].error is Failure) == (variant >= 2))
    #expect(fixture.cache["k"] == (variant < 2 ? 1 : nil))
    #expect(fixture.events.events.filter { $0.kind == .answeredTwice }.count == 1)
  }

  @Test
  func `B111 a block that drops its handlers fails as abandoned`() throws {
    fixture.load("never") { _, _ in }
    #expect(answers.map(\.code) == [.abandoned])
    fixture.load("later") { [kept] in kept.keep($0, $1) }
    fixture.load("later") { _, _ in Issue.record("the second caller's block ran") }
    #expect(answers.count == 1)
    _ = kept.take()
    #expect(answers.map(\.code) == [.abandoned, .abandoned, .abandoned])
    fixture.load("later") { success, _ in success(1, .never) }
    #expect(answers.last?.object == 1)
  }

  @Test
  func `callers of one key share one block`() throws {
    fixture.load("k") { [kept] in kept.keep($0, $1) }
    for _ in 0..<10 {
      fixture.load("k") { _, _ in Issue.record("a second block ran") }
    }
    #expect(answers.isEmpty)
    kept.succeed(7)
    #expect(answers.map(\.object) == Array(repeating: 7, count: 11))
    #expect(answers.allSatisfy { !$0.isLoadedFromCache })
  }

  @Test
  func `callers that suspend and callers with blocks share one run`() async throws {
    let cache = fixture.cache
    fixture.load("k") { [kept] in kept.keep($0, $1) }
    async let joined = cached(in: cache, "k")
    while cache.statistics.flights == 0 { await Task.yield() }
    kept.succeed(7)
    #expect(try await joined == 7)

    let producer = GatedProducer<Int>()
    async let leading = cache.cached("other") { try await producer() }
    try await producer.waitForRuns(1)
    fixture.load("other") { _, _ in Issue.record("a block ran beside the producer") }
    #expect(answers.count == 1)
    producer.release(8)
    #expect(try await leading == 8)
    try await fixture.answers.waitForCount(2)
    #expect(answers[1].object == 8 && !answers[1].isLoadedFromCache)
  }

  private func cached(in cache: ObjectCache<Int>, _ key: String) async throws -> Int {
    try await cache.cached(key) { -1 }
  }

  @Test
  func `B101 completions may call the cache`() async throws {
    let cache = fixture.cache
    for number in 0..<100 {
      cache.setObject(
        number,
        forKey: "\(number)",
        expires: number.isMultiple(of: 2) ? .seconds(10) : .never
      )
    }
    try await fixture.clock.advance(by: .seconds(10))
    let counts = EventRecorder<Int>()
    cache.setObject(
      forKey: "new",
      cacheBlock: { success, _ in success(-1, .seconds(0)) },
      completion: { _, _, _ in
        cache.removeExpiredObjects()
        counts.record(cache.allObjects(includeExpired: false).count)
        cache.removeAllObjects { counts.record(cache.allObjects(includeExpired: true).count) }
      }
    )
    #expect(counts.events == [50, 0])
  }

  @Test
  func `B101 a removal listener may call the cache`() throws {
    let counts = EventRecorder<Int>()
    let holder = CacheHolder()
    let cache = try ObjectCache<Int>(
      name: "listened",
      onRemoval: { _, _, _ in
        guard let cache = holder.cache else { return }
        holder.cache = nil
        cache.removeExpiredObjects()
        cache.removeAllObjects()
        counts.record(cache.allObjects().count)
      },
      stores: { Memory() }
    )
    holder.cache = cache
    for number in 0..<100 { cache["\(number)"] = number }
    cache["0"] = nil
    #expect(counts.events == [0])
    #expect(cache.count == 0)
  }

  @Test
  func `a removal while a block runs keeps its answer out of the cache`() throws {
    fixture.load("k") { [kept] in kept.keep($0, $1) }
    fixture.cache.removeObject(forKey: "k")
    fixture.load("k") { success, _ in success(2, .never) }
    kept.succeed(1)
    #expect(answers.map(\.object) == [2, 1])
    #expect(fixture.cache["k"] == 2)
    #expect(try ObjectCacheFixture(reopening: fixture).cache["k"] == 2)
  }

  @Test
  func `a closed cache runs every block and stores nothing`() async throws {
    fixture.cache["k"] = 1
    try await fixture.cache.close()
    for number in 2...3 { fixture.load("k") { success, _ in success(number, .never) } }
    #expect(answers.map(\.object) == [2, 3])
    #expect(try ObjectCacheFixture(reopening: fixture).cache["k"] == 1)
  }
}

/// A cache that a listener made before it finds.
private final class CacheHolder: Sendable {
  private let held = Lock<ObjectCache<Int>?>(nil)
  var cache: ObjectCache<Int>? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}
