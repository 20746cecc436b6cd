import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct JitterTests {
  private func cache(_ jitter: Jitter) throws -> Cache<Int, Int> {
    var policy = CachePolicy(expiry: .seconds(100))
    policy.jitter = jitter
    return try Cache(name: "jitter", policy: policy, time: ManualClock().timeSource) {
      Memory(.count(2_000))
    }
  }

  private func lifetimes(_ jitter: Jitter) async throws -> [Double] {
    let cache = try cache(jitter)
    var seconds: [Double] = []
    for key in 0..<1_000 {
      let outcome = try await cache.outcome(key) { Produced(key) }
      let life = try #require(outcome.remainingLife)
      seconds.append(life / .seconds(1))
    }
    return seconds
  }

  @Test func `lifetimes are spread below what was asked for, the same every time`() async throws {
    let first = try await lifetimes(.upTo(0.2))
    #expect(first.allSatisfy { $0 > 80 && $0 <= 100 })
    // Ten tenths of the range, each with its share of a thousand.
    var histogram = [Int](repeating: 0, count: 10)
    for life in first { histogram[min(9, Int((life - 80) / 2))] += 1 }
    #expect(histogram.allSatisfy { 60...140 ~= $0 }, "\(histogram)")
    #expect(try await lifetimes(.upTo(0.2)) == first)
    #expect(try await lifetimes(.upTo(0.2, seed: 1)) != first)
    #expect(try await lifetimes(.none).allSatisfy { $0 == 100 })
  }

  @Test func `no jitter makes a lifetime longer, negative or endless`() {
    for share in [-1.0, 0, 0.5, 1, 2, .nan, .infinity] {
      for digest in [0, 1, UInt64.max, 0x8000_0000_0000_0000] {
        let jitter = Jitter.upTo(share)
        #expect(1...100 ~= jitter.applied(to: 100, digest: digest))
        #expect(jitter.applied(to: .max, digest: digest) == .max)
        #expect(jitter.applied(to: 0, digest: digest) == 0)
      }
    }
  }
}
