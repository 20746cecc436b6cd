extension CachePolicy {
  /// What a policy says; `nil` is unset.
  struct Fields: Hashable, Sendable {
    var expiry: Expiry?
    var staleWhileRevalidate: Window?
    var staleIfError: Window?
    var retryAfterFailure: Window?
    var failures: FailureRule?
    var breaker: BreakerScope?
    var failuresToBackOff: Int?
    var keepExpired: Window?
    var negativeExpiry: Expiry?
    var cachedErrors: CachedErrors?
    var jitter: Jitter?
    var refreshAhead: RefreshAhead?
    var whenUnobserved: WhenUnobserved?
    var softTimeout: Window?
    var hardTimeout: Window?
    var abandonAfter: Window?
    var retries: Retries?
    var maximumConcurrentLoads: Int?
    var requiredScope: [String]?
    var tags: [Tag] = []

    func inheriting(from other: Fields) -> Fields {
      var merged = self
      merged.expiry = expiry ?? other.expiry
      merged.staleWhileRevalidate = staleWhileRevalidate ?? other.staleWhileRevalidate
      merged.staleIfError = staleIfError ?? other.staleIfError
      merged.retryAfterFailure = retryAfterFailure ?? other.retryAfterFailure
      merged.failures = failures ?? other.failures
      merged.breaker = breaker ?? other.breaker
      merged.failuresToBackOff = failuresToBackOff ?? other.failuresToBackOff
      merged.keepExpired = keepExpired ?? other.keepExpired
      merged.negativeExpiry = negativeExpiry ?? other.negativeExpiry
      merged.cachedErrors = cachedErrors ?? other.cachedErrors
      merged.jitter = jitter ?? other.jitter
      merged.refreshAhead = refreshAhead ?? other.refreshAhead
      merged.whenUnobserved = whenUnobserved ?? other.whenUnobserved
      merged.softTimeout = softTimeout ?? other.softTimeout
      merged.hardTimeout = hardTimeout ?? other.hardTimeout
      merged.abandonAfter = abandonAfter ?? other.abandonAfter
      merged.retries = retries ?? other.retries
      merged.maximumConcurrentLoads = maximumConcurrentLoads ?? other.maximumConcurrentLoads
      merged.requiredScope = requiredScope ?? other.requiredScope
      merged.tags = tags + other.tags.filter { !tags.contains($0) }
      return merged
    }
  }
}
