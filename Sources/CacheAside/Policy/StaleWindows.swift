/// How long an expired value may still be served: lengths from its end of freshness, in nanoseconds.
///
/// Both windows begin at the end of freshness and are added to the lifetime, as in RFC 5861.
struct StaleWindows: Hashable, Sendable {
  /// While it is loaded again in the background.
  var whileRevalidating: Int64 = 0
  /// When a load fails or takes too long.
  var ifError: Int64 = 0

  static let none = StaleWindows()

  init(whileRevalidating: Int64 = 0, ifError: Int64 = 0) {
    self.whileRevalidating = whileRevalidating
    self.ifError = ifError
  }

  /// What a policy asks for.
  init(_ policy: CachePolicy.Fields) {
    whileRevalidating = policy.staleWhileRevalidate?.nanoseconds ?? 0
    ifError = policy.staleIfError?.nanoseconds ?? 0
  }

  /// The longer of the two.
  var longest: Int64 { max(whileRevalidating, ifError) }

  /// The shorter of this and another, window by window: what the entry was stored with, and what
  /// today's policy allows.
  func capped(by other: StaleWindows) -> StaleWindows {
    StaleWindows(
      whileRevalidating: min(whileRevalidating, other.whileRevalidating),
      ifError: min(ifError, other.ifError)
    )
  }
}
