import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct ConditionalRefreshTests {
  /// Fresh for 5 s and kept for 10 s more.
  private static let policy = CachePolicy(expiry: .seconds(5), staleIfError: .seconds(10))

  /// A codec that counts how often it encodes.
  private static func codec(_ encodings: Counter) -> Codec<Int> {
    Codec(identifier: CodecIdentifier(rawValue: 300)) {
      encodings.add()
      return Array(String($0).utf8)
    } decode: {
      try #require(Int(String(decoding: $0, as: UTF8.self)))
    }
  }

  @Test(arguments: Setup.allCases)
  func `a value that is still right gets a new lifetime everywhere and is not encoded again`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let encodings = Counter()
    let cache = try fixture.open(
      Int.self,
      policy: Self.policy,
      codec: Self.codec(encodings)
    )
    let first = try await cache.cached("k", tags: ["call"]) { (previous: Previous<Int>?) in
      #expect(previous == nil)
      return Produced(1, tags: ["made"], validator: "v1")
    }
    #expect(first == 1)
    try await fixture.clock.advance(by: .seconds(6))
    let second = try await cache.cached("k", tags: ["call"]) { (previous: Previous<Int>?) in
      let previous = try #require(previous)
      #expect(previous.value == 1 && previous.validator == "v1")
      #expect(previous.age == .seconds(6) && !previous.isFresh)
      return .notModified
    }
    #expect(second == 1)
    #expect(encodings.count == (Setup.withStore.contains(setup) ? 1 : 0))
    try await fixture.clock.advance(by: .milliseconds(4_900))
    let outcome = try await cache.outcome("k") { Produced(2) }
    #expect(outcome.value == 1 && outcome.remainingLife == .milliseconds(100))
    guard Setup.withStore.contains(setup) else { return }
    let record = try #require(try await fixture.record("k"))
    #expect(record.metadata.validator == "v1")
    #expect(Set(record.metadata.tags) == ["call", "made"])
    let other = try fixture.open(Int.self, policy: Self.policy, codec: Self.codec(encodings))
    #expect(try await other.value(for: "k") == 1)
  }

  @Test(arguments: Setup.allCases)
  func `a renewal may have a lifetime of its own and keeps its validator for the next`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    _ = try await cache.cached("k") { Produced(1, validator: "v1") }
    for _ in 0..<3 {
      let outcome = try await cache.outcome("k", mode: .reload) { (previous: Previous<Int>?) in
        #expect(previous?.validator == "v1")
        return .notModified(expiry: .seconds(60))
      }
      #expect(outcome.remainingLife == .seconds(60))
      try await fixture.clock.advance(by: .seconds(61))
    }
  }

  @Test(arguments: Setup.allCases)
  func `a changed value takes the place of the old one with its own validator`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    for number in 1...3 {
      let value = try await cache.outcome("k", mode: .reload) { (previous: Previous<Int>?) in
        #expect(previous?.validator == (number == 1 ? nil : "v\(number - 1)"))
        return Produced(number, validator: "v\(number)")
      }.value
      #expect(value == number)
    }
    #expect(try await cache.value(for: "k") == 3)
  }

  @Test func `what another process wrote meanwhile is not renewed in its place`() async throws {
    let fixture = try CacheFixture(.memoryAndDisk)
    let encodings = Counter()
    let cache = try fixture.open(Int.self, codec: Self.codec(encodings))
    try await cache.set(1, for: "k")
    _ = try await cache.outcome("k", mode: .reload) { (_: Previous<Int>?) in .notModified }
    #expect(encodings.count == 1)
    try await fixture.clock.advance(by: .seconds(1))
    try await fixture.open(Int.self, codec: Self.codec(encodings)).set(2, for: "k")
    _ = try await cache.outcome("k", mode: .reload) { (_: Previous<Int>?) in .notModified }
    #expect(encodings.count == 3)
    let later = try fixture.open(Int.self, codec: Self.codec(encodings))
    #expect(try await later.value(for: "k") == 1)
  }

  @Test(arguments: Setup.allCases)
  func `renewing what is not there is an error and stores nothing`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    let unseen = await #expect(throws: CacheError.self) {
      try await cache.cached("k") { (_: Previous<Int>?) in .notModified }
    }
    #expect(unseen?.code == .unexpectedNotModified)
    try await cache.set(1, for: "k")
    let unasked = await #expect(throws: CacheError.self) {
      try await cache.outcome("k", mode: .reload) { .notModified }
    }
    #expect(unasked?.code == .unexpectedNotModified)
    let bypassing = await #expect(throws: CacheError.self) {
      try await cache.outcome("k", mode: .bypass) { (_: Previous<Int>?) in .notModified }
    }
    #expect(bypassing?.code == .unexpectedNotModified)
    #expect(try await cache.value(for: "k") == 1)
  }

  @Test(arguments: Setup.allCases)
  func `T2 a load behind a stale value sees it`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(
      policy: CachePolicy(expiry: .seconds(5), staleWhileRevalidate: .seconds(10))
    )
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await fixture.clock.advance(by: .seconds(6))
      let seen = Lock<Int?>(nil)
      let stale = try await cache.cached("k") { (previous: Previous<Int>?) in
        seen.withLock { $0 = previous?.value }
        return .notModified
      }
      #expect(stale == 1)
      try await fixture.clock.settle()
      #expect(seen.withLock { $0 } == 1)
      #expect(try await cache.outcome("k") { Produced(2) }.remainingLife == .seconds(5))
    }
  }
}
