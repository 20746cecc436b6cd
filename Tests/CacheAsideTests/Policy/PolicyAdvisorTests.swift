import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct PolicyAdvisorTests {
  /// One row: a policy, its stores, and the settings that are named.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let subject: PolicyAdvisor.Subject
    let contradictions: [String]
    var risks: [String] = []
  }

  private static func row(
    _ name: String,
    _ contradictions: [String],
    risks: [String] = [],
    memory: MemoryLimits? = .count(10),
    stores: [String] = [],
    expiry: Expiry? = nil,
    _ change: (inout CachePolicy) -> Void = { _ in }
  ) -> Row {
    var policy = CachePolicy(expiry: expiry)
    change(&policy)
    let subject = PolicyAdvisor.Subject(
      policy: policy,
      memory: memory.map { MemoryPlan(limits: $0) },
      stores: stores,
      hasMemoryPressure: false
    )
    return Row(
      testDescription: name,
      subject: subject,
      contradictions: contradictions,
      risks: risks
    )
  }

  static let rows: [Row] = [
    row("nothing said", []),
    row("everything in order", [], expiry: .minutes(5)) {
      $0.staleWhileRevalidate = .minutes(1)
      $0.staleIfError = .hours(1)
      $0.softTimeout = .seconds(1)
      $0.hardTimeout = .seconds(10)
      $0.retryAfterFailure = .seconds(5)
      $0.failures = .all
      $0.negativeExpiry = .minutes(1)
      $0.refreshAhead = .fraction(0.9)
      $0.jitter = .upTo(0.2)
      $0.maximumConcurrentLoads = 4
      $0.retries = Retries(2, pause: .seconds(1))
    },
    row("a count without a breaker", ["failuresToBackOff"]) { $0.failuresToBackOff = 3 },
    row("a breaker that counts to nothing", ["failuresToBackOff"]) {
      $0.breaker = .feature
      $0.failuresToBackOff = 0
    },
    row("a breaker of its own", []) {
      $0.breaker = .function
      $0.failuresToBackOff = 3
      $0.retryAfterFailure = .seconds(5)
      $0.failures = .all
    },
    row("a breaker without a pause", ["breaker"]) {
      $0.breaker = .function
      $0.retryAfterFailure = .zero
    },
    row("memory of nothing over a store", ["Memory"], memory: .count(0), stores: ["disk"]),
    row("no memory over a store", [], memory: nil, stores: ["disk"]),
    row("memory without limit", [], risks: ["Memory"], memory: .unlimited),
    row("a window that nothing keeps", ["staleWhileRevalidate"], memory: .count(0)) {
      $0.staleWhileRevalidate = .minutes(1)
    },
    row("a window that a store keeps", ["Memory"], memory: .cost(0), stores: ["disk"]) {
      $0.staleWhileRevalidate = .minutes(1)
    },
    row("kept where nothing keeps", ["keepExpired"], memory: .count(0)) {
      $0.keepExpired = .minutes(1)
    },
    row("a window after no end", ["staleWhileRevalidate"], expiry: .never) {
      $0.staleWhileRevalidate = .minutes(1)
    },
    row("a window of nothing", [], expiry: .never) { $0.staleWhileRevalidate = .zero },
    row("stale values without a timeout", [], risks: ["staleIfError"]) {
      $0.staleIfError = .minutes(1)
    },
    row("a soft timeout for nothing", ["softTimeout"]) { $0.softTimeout = .seconds(1) },
    row("a rest for nothing", ["retryAfterFailure"]) { $0.retryAfterFailure = .seconds(1) },
    row("a rest for what is refreshed ahead", []) {
      $0.retryAfterFailure = .seconds(1)
      $0.refreshAhead = .fraction(0.5)
    },
    row("failures of nothing", ["failures"]) { $0.failures = .all },
    row("failures that are retried", []) {
      $0.failures = .all
      $0.retries = Retries(1)
    },
    row("idle as long as its maximum", ["expiry"], expiry: .idle(.minutes(5), max: .minutes(5))),
    row("idle and shorter", [], expiry: .idle(.minutes(4), max: .minutes(5))),
    row("ahead of no end", ["refreshAhead"], expiry: .never) { $0.refreshAhead = .fraction(0.5) },
    row(
      "ahead of an end that moves",
      [],
      risks: ["refreshAhead"],
      expiry: .idle(.seconds(1), max: .hours(1))
    ) {
      $0.refreshAhead = .fraction(0.5)
    },
    row("ahead of an end that a call says", []) { $0.refreshAhead = .probabilistic() },
    row("never ahead", [], expiry: .never) { $0.refreshAhead = .never },
    row("jitter of everything", ["jitter"]) { $0.jitter = .upTo(1) },
    row("nil for longer", ["negativeExpiry"], expiry: .minutes(1)) {
      $0.negativeExpiry = .minutes(2)
    },
    row("nil for ever", ["negativeExpiry"], expiry: .minutes(1)) { $0.negativeExpiry = .never },
    row("nil as long", [], expiry: .minutes(1)) { $0.negativeExpiry = .minutes(1) },
    row("nil where the expiry is unset", []) { $0.negativeExpiry = .minutes(1) },
    row("no load at all", ["maximumConcurrentLoads"]) { $0.maximumConcurrentLoads = 0 },
    row("a pause beyond the last attempt", ["retries"]) {
      $0.retries = Retries(1, pause: .seconds(5))
      $0.hardTimeout = .seconds(5)
    },
    row("two things", ["softTimeout", "jitter"]) {
      $0.softTimeout = .seconds(1)
      $0.jitter = .upTo(2)
    },
  ]

  @Test(arguments: rows)
  func `what contradicts or is a risk is named, and nothing else`(row: Row) {
    let advice = PolicyAdvisor.advice(for: row.subject)
    func settings(_ severity: Advice.Severity) -> [String] {
      advice.filter { $0.severity == severity }.map(\.setting)
    }
    #expect(settings(.contradiction) == row.contradictions)
    #expect(settings(.risk) == row.risks)
    #expect(advice.allSatisfy { $0.message.contains("; ") })
  }
}
