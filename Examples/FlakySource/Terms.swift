import CacheAside

/// The numbers of the example: what its policy says and what its checks go by.
struct Terms: Sendable {
  static let readers = 64
  static let keys = 48
  /// Fewer entries than keys fit into memory; the rest is read from disk.
  static let entriesInMemory = 40

  let expiry = 1.0
  let jitter = 0.2
  let staleWhileRevalidate = 1.0
  let staleIfError: Double
  let retryAfterFailure = 2.0
  let softTimeout = 0.1
  let abandonAfter = 2.5

  init(_ options: Options) {
    staleIfError = Double(options.window ?? options.seconds + 60)
  }

  /// How long each phase lasts.
  func duration(of phase: Phase, _ options: Options) -> Duration {
    switch phase {
    case .warm: .seconds(3)
    case .slow: .seconds(6)
    case .down: .seconds(options.seconds)
    // Long enough for rests that began at the end of the phase before.
    case .back: .seconds(6)
    }
  }

  /// How often a source that is down may be asked: once for each key before the breaker opens, then by
  /// one probe a pause.
  func mostRuns(in seconds: Double) -> Int {
    Terms.keys + Int(seconds / retryAfterFailure) + 1
  }

  var policy: CachePolicy {
    var policy = CachePolicy(
      expiry: .seconds(expiry),
      staleWhileRevalidate: .seconds(staleWhileRevalidate),
      staleIfError: .seconds(staleIfError)
    )
    policy.retryAfterFailure = .seconds(retryAfterFailure)
    policy.softTimeout = .seconds(softTimeout)
    policy.abandonAfter = .seconds(abandonAfter)
    policy.jitter = .upTo(jitter)
    return policy
  }
}
