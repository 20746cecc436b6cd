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

  var policy: CachePolicy {
    var policy = CachePolicy(
      expiry: .seconds(expiry),
      staleWhileRevalidate: .seconds(staleWhileRevalidate),
      staleIfError: .seconds(staleIfError)
    )
    policy.retryAfterFailure = .seconds(retryAfterFailure)
    // Each key backs off for itself here, so that the pauses of every key can be checked.
    policy.breaker = .off
    policy.softTimeout = .seconds(softTimeout)
    policy.abandonAfter = .seconds(abandonAfter)
    policy.jitter = .upTo(jitter)
    return policy
  }
}
