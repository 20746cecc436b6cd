import CacheAsideTesting

@testable import CacheAside

/// An hour of traffic over memory and disk.
///
/// Quick, slow, failing and hanging producers behind every
/// window and time limit, a third of it with callers. Everything that happens is logged with
/// its moment.
final class LongScenario: Sendable {
  /// How long a scenario is.
  static let duration = Duration.seconds(3_600)
  private static let traffic = Duration.seconds(1_200)

  let clock: ManualClock
  private let disk: DiskStore
  private let cache: Cache<String, Int>
  private let folder: TemporaryFolder
  private let events = EventRecorder<String>()

  private struct Observer: CacheObserver {
    let note: @Sendable (String) -> Void
    func receive(_ event: CacheEvent) {
      note("event \(event.kind) \(event.key?.description ?? "")")
    }
  }

  init(seed: UInt64) throws {
    clock = ManualClock(seed: seed)
    folder = try TemporaryFolder()
    let disk = try DiskStore(
      directory: folder.path + "/cache",
      limit: .unlimited,
      sweepInterval: .seconds(256),
      time: clock.timeSource
    )
    self.disk = disk
    var policy = CachePolicy(
      expiry: .seconds(40),
      staleWhileRevalidate: .seconds(20),
      staleIfError: .seconds(200)
    )
    policy.jitter = .upTo(0.25, seed: seed)
    policy.refreshAhead = .fraction(0.7)
    policy.retries = Retries(1, pause: .seconds(2))
    policy.retryAfterFailure = .seconds(9)
    policy.softTimeout = .seconds(1)
    policy.hardTimeout = .seconds(5)
    policy.abandonAfter = .seconds(30)
    cache = try Cache(name: "scenario", policy: policy, time: clock.timeSource) {
      Memory(.count(100), exact: true)
      Store(disk)
    }
    let (clock, events) = (clock, events)
    cache.observe(Observer { events.record("\(clock.elapsed) \($0)") })
  }

  /// What happened, when the clock has moved an hour ahead in steps.
  func run(inStepsOf step: Duration) async throws -> [String] {
    for (index, period) in [3, 7, 11, 13, 17, 19, 23, 29].enumerated() {
      clock.startTask { [self] in try await call(index, every: .milliseconds(period * 997)) }
    }
    clock.startTask { [self] in try await count() }
    while clock.elapsed < Self.duration { try await clock.advance(by: step) }
    return events.events
  }

  private func note(_ text: String) { events.record("\(clock.elapsed) \(text)") }

  private func call(_ caller: Int, every period: Duration) async throws {
    var round = 0
    while clock.elapsed < Self.traffic {
      try await clock.sleep(for: period)
      round += 1
      let key = "key \((caller + round) % 6)"
      var policy = CachePolicy()
      if caller == 0 { policy.refreshAhead = .probabilistic() }
      if caller == 1 { cache.removeFromMemory(key) }
      if caller == 2, round % 20 == 0 { try await cache.expire(key) }
      do {
        let outcome = try await cache.outcome(key, policy: policy) { [self] in
          Produced(try await produce(key))
        }
        note("caller \(caller) \(key): \(outcome.value) \(outcome.source) \(outcome.age)")
      } catch {
        note("caller \(caller) \(key): \((error as? CacheError)?.code.description ?? "\(error)")")
      }
    }
  }

  private func produce(_ key: String) async throws -> Int {
    let word = clock.nextRandom()
    note("\(key) is asked for: \(word % 8)")
    do {
      switch word % 8 {
      case 5: throw EngineError.net
      case 6: try await clock.sleep(for: .seconds(8))
      case 7: try await clock.sleep(for: .seconds(100_000))
      default: try await clock.sleep(for: .milliseconds(300 * Int(1 + word % 8)))
      }
    } catch {
      note("\(key) ends with \(error)")
      throw error
    }
    note("\(key) is \(word % 1_000)")
    return Int(word % 1_000)
  }

  private func count() async throws {
    while clock.elapsed < Self.duration {
      try await clock.sleep(for: .seconds(100))
      var statistics = cache.statistics
      let removals = RemovalReason.allCases.map { statistics.removals[$0] ?? 0 }
      statistics.removals = [:]
      let files = try await disk.usage().entries ?? -1
      note("memory \(statistics.entries), disk \(files), removed \(removals), \(statistics)")
    }
  }

  /// What is left at the end.
  func rest() async throws -> (memory: Int, disk: Int?, isQuiet: Bool, sleeps: Int) {
    (
      cache.statistics.entries, try await disk.usage().entries, cache.isQuiet, clock.pendingSleeps
    )
  }
}
