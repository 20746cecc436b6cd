/// A call's merged policy, checked and resolved once for its load.
final class LoadTerms: Sendable {
  let policy: CachePolicy
  let fields: CachePolicy.Fields
  let limits: LoadLimits
  let windows: StaleWindows
  /// Which breaker its loads have.
  let breaker: BreakerScope

  /// - Throws: `CacheError` for an expiry that is not a number, one of remembered errors that is
  ///   negative, or timeouts that contradict each other.
  init(_ policy: CachePolicy) throws {
    self.policy = policy
    fields = policy.fields
    limits = try LoadLimits(fields)
    windows = StaleWindows(
      whileRevalidating: fields.staleWhileRevalidate?.nanoseconds ?? 0,
      ifError: fields.staleIfError?.nanoseconds ?? 0
    )
    breaker = fields.breaker ?? (windows == .none ? .off : .function)
    if let expiry = fields.expiry { try Lifetime.check(expiry, of: "the expiry") }
    if let expiry = fields.negativeExpiry { try Lifetime.check(expiry, of: "negativeExpiry") }
    try fields.cachedErrors?.check()
  }

  private init() {
    policy = CachePolicy()
    fields = policy.fields
    limits = .none
    windows = .none
    breaker = .off
  }

  /// The terms of a policy that says nothing.
  static let none = LoadTerms()

  /// Whether what is in memory may answer a call although it is no plain hit.
  var looksBeforeLoading: Bool {
    windows != .none || fields.refreshAhead != nil || fields.cachedErrors != nil
  }

  /// Whether an error of the producer lets a stale value be served.
  func isFailure(_ error: any Error) -> Bool { (fields.failures ?? .all).counts(error) }

  /// How many failed loads in a row open the breaker.
  var failuresToBackOff: Int { max(1, fields.failuresToBackOff ?? 5) }

  /// For how many nanoseconds a producer rests after a failure.
  var rest: Int64 { fields.retryAfterFailure?.nanoseconds ?? 10_000_000_000 }
}
