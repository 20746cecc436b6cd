/// Why an expired value was returned.
public struct StaleReason: Hashable, Sendable, CustomStringConvertible {
  /// The reason's name.
  public let description: String

  init(_ name: String) { description = name }

  /// The call asked for any age.
  public static let anyAge = StaleReason("anyAge")
  /// It is in the window of `staleWhileRevalidate`; a load in the background replaces it.
  public static let revalidating = StaleReason("revalidating")
  /// Its load failed, and it is in the window of `staleIfError`.
  public static let loadFailed = StaleReason("loadFailed")
  /// A load failed a short while ago and is not tried again before `retryAfterFailure` has passed: one of
  /// its key, or several of its source, whose breaker is open.
  public static let resting = StaleReason("resting")
  /// Its load took longer than `softTimeout` and goes on.
  public static let softTimeout = StaleReason("softTimeout")
  /// Its load took longer than `hardTimeout` and goes on.
  public static let hardTimeout = StaleReason("hardTimeout")
}
