import CacheAside
import CacheAsideTesting
import Synchronization

/// Rounds of loads that hang.
final class HungRounds: Sendable {
  private let clock = ManualClock()
  private let cache: Cache<String, Int>
  private let keys: Int
  private let keeps: Bool
  private let kept = Mutex<[Payload]>([])

  /// What a producer has captured.
  private final class Payload: Sendable {
    let bytes = [UInt8](repeating: 1, count: 200)
  }

  init(keys: Int, keeps: Bool) throws {
    self.keys = keys
    self.keeps = keeps
    var policy = CachePolicy(expiry: .seconds(60))
    policy.abandonAfter = .seconds(10)
    cache = try Cache(name: "hung", policy: policy, time: clock.timeSource) {
      Memory(.count(1_000))
    }
  }

  /// Runs a round.
  ///
  /// - Parameter round: its number.
  /// - Returns: what was wrong.
  /// - Throws: when the clock stalls.
  func run(_ round: Int) async throws -> String? {
    let callers = (0..<keys).map { index in
      clock.startTask { [self] in
        let payload = Payload()
        if keeps { kept.withLock { $0.append(payload) } }
        let producer = GatedProducer<Int>()
        return try await cache.cached("\(round)/\(index)") {
          try await producer() + payload.bytes.count
        }
      }
    }
    try await clock.settle()
    guard cache.statistics.flights == keys, cache.statistics.waiters == keys else {
      return "not every load hangs: \(cache.statistics)"
    }
    try await clock.advance(by: .seconds(10))
    for caller in callers {
      switch await caller.result {
      case .failure(let error as CacheError) where error.code == .abandoned: continue
      case let result: return "a caller got \(result)"
      }
    }
    let (statistics, sleeps) = (cache.statistics, clock.pendingSleeps)
    if statistics.flights + statistics.waiters + statistics.entries + sleeps > 0 {
      return "something is left: \(sleeps) sleeps, \(statistics)"
    }
    return nil
  }
}
