import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct CallbackStalenessTests {
  /// What completions were told, in order.
  private final class Answers: Sendable {
    private let list = Lock<[String]>([])

    var all: [String] { list.withLock { $0 } }

    func add(_ result: Result<CacheOutcome<Int>, any Error>) {
      let text =
        switch result {
        case .success(let outcome): "\(outcome.value) \(outcome.source)"
        case .failure(let error as CacheError): "\(error.code)"
        case .failure(let error): "\(error)"
        }
      list.withLock { $0.append(text) }
    }
  }

  /// Keeps a block's handlers to answer later.
  private final class Pending: Sendable {
    typealias Handlers = (
      success: @Sendable (Int, Expiry) -> Void, failure: @Sendable (any Error) -> Void
    )
    private let handlers = Lock<[Handlers]>([])

    var count: Int { handlers.withLock { $0.count } }

    func keep(
      _ success: @escaping @Sendable (Int, Expiry) -> Void,
      _ failure: @escaping @Sendable (any Error) -> Void
    ) {
      handlers.withLock { $0.append((success, failure)) }
    }

    func take() -> Handlers? {
      handlers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func drop() {
      let kept = handlers.withLock { handlers in
        defer { handlers = [] }
        return handlers
      }
      _ = kept
    }
  }

  private func load(
    _ cache: Cache<String, Int>,
    _ pending: Pending,
    _ answers: Answers
  ) {
    cache.load("k", block: { pending.keep($0, $1) }, completion: { answers.add($0) })
  }

  @Test(arguments: [Setup.memory, .disk, .memoryAndDisk])
  func `T2 a stale value is told at once and the block runs behind it`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(
      policy: CachePolicy(expiry: .seconds(5), staleWhileRevalidate: .seconds(10))
    )
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(5))
    let pending = Pending()
    let answers = Answers()
    for _ in 0..<3 { load(cache, pending, answers) }
    #expect(answers.all == Array(repeating: "1 stale(revalidating)", count: 3))
    #expect(pending.count == 1)
    try #require(pending.take()).success(2, .seconds(5))
    load(cache, pending, answers)
    #expect(answers.all.last?.hasPrefix("2") == true)
    #expect(pending.count == 0)
    #expect(cache.isQuiet)
  }

  @Test(arguments: [Setup.memory, .disk, .memoryAndDisk])
  func `T2 a failing block is covered by the stale value, and rests`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(
      policy: CachePolicy(expiry: .seconds(5), staleIfError: .seconds(100))
    )
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(5))
    let pending = Pending()
    let answers = Answers()
    load(cache, pending, answers)
    #expect(answers.all == [])
    try #require(pending.take()).failure(EngineError.boom)
    load(cache, pending, answers)
    try await fixture.clock.advance(by: .seconds(10))
    load(cache, pending, answers)
    // Both handlers released: a failure like any other.
    pending.drop()
    load(cache, pending, answers)
    #expect(
      answers.all == [
        "1 stale(loadFailed)", "1 stale(resting)", "1 stale(loadFailed)", "1 stale(resting)",
      ]
    )
    #expect(cache.isQuiet)
  }

  @Test func `T4 F9 timeouts hold for blocks, and a late answer changes nothing`() async throws {
    let fixture = try CacheFixture(.memory)
    var policy = CachePolicy(expiry: .seconds(5), staleIfError: .seconds(100))
    policy.softTimeout = .seconds(1)
    policy.hardTimeout = .seconds(2)
    policy.abandonAfter = .seconds(3)
    let cache = try fixture.open(policy: policy)
    let pending = Pending()
    let answers = Answers()
    load(cache, pending, answers)
    try await fixture.clock.advance(by: .seconds(2))
    #expect(answers.all == ["timedOut"])
    load(cache, pending, answers)
    try await fixture.clock.advance(by: .seconds(1))
    #expect(answers.all == ["timedOut", "abandoned"])
    #expect(cache.flights.registrationCount == 0)
    try #require(pending.take()).success(9, .never)
    #expect(cache.peek("k") == nil)
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(5))
    load(cache, pending, answers)
    try await fixture.clock.advance(by: .seconds(1))
    #expect(answers.all.last == "1 stale(softTimeout)")
    try #require(pending.take()).success(2, .never)
    #expect(cache.peek("k") == 2)
    #expect(cache.isQuiet)
  }

  @Test func `a remembered error is told at once`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(
      policy: CachePolicy().cachingErrors(of: EngineError.self, for: .seconds(5))
    )
    let pending = Pending()
    let answers = Answers()
    load(cache, pending, answers)
    try #require(pending.take()).failure(EngineError.net)
    load(cache, pending, answers)
    #expect(answers.all == ["net", "net"])
    #expect(pending.count == 0)
  }
}
