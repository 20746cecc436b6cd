import CacheAsideTesting
import Testing

@testable import CacheAside

/// A write at once leaves behind what the long way leaves behind.
@Suite(.timeLimit(.minutes(60)))
struct WritingAtOnceEquivalenceTests {
  /// What a removal listener was told.
  private struct Notice: Hashable, Sendable {
    let key: String
    let value: Int
    let reason: RemovalReason
  }

  private struct Observer: CacheObserver {
    let events = EventRecorder<String>()

    func receive(_ event: CacheEvent) {
      events.record("\(event.kind) \(event.store ?? "") \(event.key?.text ?? "")")
    }
  }

  /// A cache and what can be seen of it from outside.
  private final class Subject: Sendable {
    let clock = ManualClock()
    let observer = Observer()
    let notices = EventRecorder<Notice>()
    let cache: Cache<String, Int>

    init(_ limits: MemoryLimits, _ policy: EvictionPolicy, _ expiry: Expiry) throws {
      cache = try Cache(
        name: "writes",
        expiry: expiry,
        time: clock.timeSource,
        cost: { $0 % 13 - 1 },
        onRemoval: { [notices] key, value, reason in
          notices.record(Notice(key: key, value: value, reason: reason))
        }
      ) {
        Memory(limits, policy: policy, exact: true)
      }
      cache.observe(observer)
    }
  }

  private static let limits: [MemoryLimits] = [
    .unlimited, .count(20), .cost(60), MemoryLimits(countLimit: 12, costLimit: 40),
    MemoryLimits(costLimit: 80, entryCostLimit: 9), .count(0), .cost(0),
  ]
  private static let lifetimes: [Expiry] = [
    .never, .seconds(5), .milliseconds(2), .after(.nanoseconds(Int64.max)),
    .after(.nanoseconds(Int64.max - 1)),
  ]

  @Test(arguments: EvictionPolicy.allCases, lifetimes)
  func `both ways leave the same entries, notices, events and statistics`(
    policy: EvictionPolicy,
    expiry: Expiry
  ) async throws {
    for limits in Self.limits {
      let (short, long) = try (Subject(limits, policy, expiry), Subject(limits, policy, expiry))
      var random = SplitMix(state: 1)
      for step in 0..<700 {
        let key = "\(Int.random(in: 0..<40, using: &random))"
        switch Int.random(in: 0..<40, using: &random) {
        case 0:
          for subject in [short, long] { try await subject.clock.advance(by: .milliseconds(900)) }
        case 1: for subject in [short, long] { try subject.cache.removeBlocking(key) }
        case ..<15: try #require(short.cache[key] == long.cache[key])
        default:
          #expect(short.cache.setAtOnce(step, for: key))
          try long.cache.setBlocking(step, for: key)
        }
        try #require(short.cache.totalCost == long.cache.totalCost)
      }
      for key in (0..<40).map(String.init) {
        #expect(
          try await short.cache.entry(for: key)?.value == long.cache.entry(for: key)?.value
        )
      }
      #expect(short.notices.events == long.notices.events)
      #expect(short.observer.events.events == long.observer.events.events)
      #expect(short.cache.statistics == long.cache.statistics)
      // The sweep starts in a task of its own.
      for subject in [short, long] { try await subject.clock.advance(by: .zero) }
      #expect(short.clock.pendingSleeps == long.clock.pendingSleeps)
      #expect(short.cache.isQuiet)
    }
  }

  @Test func `what is refused takes the older value with it`() throws {
    let cache = try Cache<String, [UInt8]>(name: "writes", time: ManualClock().timeSource) {
      Memory(MemoryLimits(costLimit: 100, entryCostLimit: 20))
    }
    #expect(cache.setAtOnce([1], for: "k"))
    #expect(cache.setAtOnce([UInt8](repeating: 2, count: 21), for: "k"))
    #expect(cache["k"] == nil)
    #expect(cache.statistics.rejected == 1)
    #expect(cache.statistics.removals == [.capacity: 1])
  }

  @Test func `nothing is stored once the cache is closed`() async throws {
    let subject = try Subject(.count(10), .lazyTinyLFU, .seconds(9))
    #expect(subject.cache.setAtOnce(1, for: "k"))
    try await subject.cache.close()
    subject.cache["k"] = 2
    subject.cache["l"] = 2
    #expect(subject.cache.count == 0)
    #expect(subject.notices.events == [Notice(key: "k", value: 1, reason: .invalidated)])
  }
}
