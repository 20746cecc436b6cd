import CacheAside
import Foundation
import Synchronization
import Testing

// snippet: Bridge to swift-log, swift-metrics and OpenTelemetry
protocol Logging: Sendable {
  func warning(_ message: String, metadata: [String: String])
}

struct LogBridge<Log: Logging>: CacheObserver {
  let log: Log

  func receive(_ event: CacheEvent) {
    log.warning(
      event.kind.description,
      metadata: ["feature": event.feature, "key": event.key?.hashed ?? "", "text": "\(event)"]
    )
  }
}
// end

// snippet: Bridge to swift-log, swift-metrics and OpenTelemetry
protocol Metrics: Sendable {
  func record(_ name: String, _ value: Double, dimensions: [(String, String)])
}

/// Call it from a timer; the gauges of swift-metrics take the numbers as they are.
func export(_ feature: CacheFeature, to metrics: some Metrics) {
  let statistics = feature.statistics
  let dimensions = [("feature", feature.name)]
  metrics.record("cache.hit_ratio", statistics.hitRatio, dimensions: dimensions)
  metrics.record("cache.loads", Double(statistics.loads), dimensions: dimensions)
  metrics.record("cache.entries", Double(statistics.entries), dimensions: dimensions)
}
// end

// snippet: Bridge to swift-log, swift-metrics and OpenTelemetry
protocol Span: Sendable {
  func addEvent(_ name: String, attributes: [String: String])
}

/// The cache decisions of a request, as events of its span.
func traced<Result: Sendable>(
  _ span: some Span,
  _ work: @Sendable () async throws -> Result
) async rethrows -> Result {
  let trace = CacheTrace()
  defer {
    for entry in trace.entries {
      span.addEvent(
        "cache.\(entry.rule)",
        attributes: ["cache.feature": entry.feature, "cache.key": entry.key.hashed]
      )
    }
  }
  return try await Caches.withTrace(trace) { try await work() }
}
// end

/// What the bridges were told.
private final class Sink: Logging, Metrics, Span {
  let lines = Mutex<[String]>([])

  func warning(_ message: String, metadata: [String: String]) { note(message) }
  func record(_ name: String, _ value: Double, dimensions: [(String, String)]) { note(name) }
  func addEvent(_ name: String, attributes: [String: String]) { note(name) }
  private func note(_ line: String) { lines.withLock { $0.append(line) } }
}

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct ObservabilityTests {
  private let caches = Caches.inMemory

  @Test func `ask where a value came from`() async throws {
    // snippet: Ask where a value came from
    let fetchUser = cached("user", expiry: .minutes(5)) { (id: Int) in try await api.user(id) }

    let first = try await fetchUser.outcome(42)
    #expect(first.source == .produced)
    #expect(!first.isLoadedFromCache)

    let second = try await fetchUser.outcome(42)
    #expect(second.source == .memory)
    print(second.age, second.remainingLife ?? .zero)
    // end
  }

  @Test func `look without touching`() async throws {
    // snippet: Look without touching
    let users = try caches["users"].cache(Int.self, User.self)
    try await users.set(User(id: 42, name: "Ada"), for: 42, expiry: .minutes(5))
    if let entry = try await users.entry(for: 42) {
      print(entry.value, entry.isFresh, entry.age)
    }
    // end
    #expect(users.statistics.lookups == 0)
  }

  @Test func `explain one key`() async throws {
    // snippet: Explain one key
    let policy = CachePolicy(expiry: .minutes(5), staleIfError: .hours(1))
    let fetchUser = cached("user", policy: policy) { (id: Int) in try await api.user(id) }
    _ = try await fetchUser(42)

    let explanation = await fetchUser.explain(42)
    #expect(explanation.rule == .fresh)
    #expect(explanation.tiers[0].finding == .fresh)
    print(explanation)
    // end
  }

  @Test func `trace a request`() async throws {
    // snippet: Trace a request
    let fetchUser = cached("user", expiry: .minutes(5)) { (id: Int) in try await api.user(id) }
    let (_, trace) = try await CacheTrace.record {
      _ = try await fetchUser(1)
      _ = try await fetchUser(1)
    }
    #expect(trace.entries.map(\.rule) == [.absent, .fresh])
    #expect(trace.entries[0].flight == .led)
    #expect(trace.entries[0].storedIn == ["memory"])
    print(trace)
    // end
  }

  @Test func count() async throws {
    // snippet: Count
    let users = try caches["users"]
    let fetchUser = users.cached("user") { (id: Int) in try await api.user(id) }
    _ = try await fetchUser(1)
    _ = try await fetchUser(1)

    let statistics = users.statistics
    #expect(statistics.lookups == 2)
    #expect(statistics.hitRatio == 0.5)
    #expect(statistics.loads == 1)
    // end
  }

  @Test func `serve OpenMetrics`() {
    // snippet: Serve OpenMetrics
    struct Response {
      let contentType: String
      let body: String
    }

    func metrics() -> Response {
      Response(contentType: CacheStatistics.openMetricsContentType, body: caches.openMetrics())
    }
    #expect(metrics().body.hasSuffix("# EOF\n"))
    // end
    #expect(metrics().contentType.contains("openmetrics"))
  }

  @Test func `listen to events`() async throws {
    // snippet: Listen to events
    let events = try caches["users"].events()
    let log = Task {
      for await event in events { print(event) }
    }
    // end
    let others = try caches["users"].events()
    await #expect(throws: URLError.self) {
      try await caches["users"].cached(key: "user/1") { () async throws -> User in
        throw URLError(.timedOut)
      }
    }
    try await caches.close()
    await log.value
    var kinds: [CacheEvent.Kind] = []
    for await event in others { kinds.append(event.kind) }
    #expect(kinds == [.loadFailed])
  }

  @Test func `listen to events with an observer`() async throws {
    // snippet: Listen to events
    final class FailureCounter: CacheObserver {
      let failures = Atomic<Int>(0)

      func receive(_ event: CacheEvent) {
        if event.kind == .loadFailed { failures.add(1, ordering: .relaxed) }
      }
    }

    let counter = FailureCounter()
    let users = try caches["users"]
    users.observe(counter)
    await #expect(throws: URLError.self) {
      try await users.cached(key: "user/1") { () async throws -> User in throw URLError(.timedOut) }
    }
    #expect(counter.failures.load(ordering: .relaxed) == 1)
    // end
  }

  @Test func `bridge to swift-log, swift-metrics and OpenTelemetry`() async throws {
    let sink = Sink()
    let users = try caches["users"]
    users.observe(LogBridge(log: sink))
    try? await traced(sink) {
      _ = try await users.cached(key: "user/1") { () async throws -> User in
        throw URLError(.timedOut)
      }
    }
    export(users, to: sink)
    let lines = sink.lines.withLock { $0 }
    #expect(
      lines == ["loadFailed", "cache.absent", "cache.hit_ratio", "cache.loads", "cache.entries"]
    )
  }

  @Test func `settings that contradict each other`() {
    // snippet: Settings that contradict each other
    var policy = CachePolicy(expiry: .minutes(5))
    policy.softTimeout = .seconds(1)
    let error = #expect(throws: CacheError.self) {
      try Caches(strict: true) {
        Feature("users", policy: policy) { Memory() }
      }
    }
    print(error?.message ?? "")
    // end
    #expect(error?.message.contains("softTimeout") == true)
  }

  @Test func `hear what leaves memory`() throws {
    // snippet: Hear what leaves memory
    let sizes = try Cache<String, Int>(
      name: "sizes",
      onRemoval: { key, value, reason in print("\(key) left: \(reason)") }
    ) { Memory(.count(100)) }
    sizes["a"] = 1
    sizes["a"] = nil
    // end
    #expect(sizes.count == 0)
  }
}
