/// How often a failed producer is asked again within one load, and how far apart.
///
/// Pauses grow by a factor and wait on the cache's clock. A cancellation is never retried, nor is an
/// error that the policy's ``FailureRule`` does not count as a failure. No attempt begins after
/// ``CachePolicy/hardTimeout``.
public struct Retries: Hashable, Sendable {
  /// How often the producer is asked again after its first failure.
  public let maximum: Int

  /// The pause before the first of these.
  public let pause: Window

  /// By how much each pause is longer than the one before.
  public let factor: Double

  /// One attempt only.
  public static let none = Retries(0)

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - maximum: how often the producer is asked again; less than zero counts as zero.
  ///   - pause: the pause before the first of these.
  ///   - factor: by how much each pause is longer than the one before; less than one counts as one.
  public init(_ maximum: Int, pause: Window = .zero, factor: Double = 2) {
    self.maximum = max(0, maximum)
    self.pause = pause
    self.factor = factor >= 1 && factor.isFinite ? factor : 1
  }

  /// The pause before an attempt, in nanoseconds; `nil` when there is no such attempt.
  ///
  /// - Parameter attempt: its number; 1 is the first after the failure.
  /// - Returns: the pause.
  func pause(before attempt: Int) -> Int64? {
    guard attempt <= maximum else { return nil }
    var nanoseconds = Double(pause.nanoseconds)
    for _ in 1..<max(1, attempt) { nanoseconds = min(nanoseconds * factor, 9.2e18) }
    return nanoseconds >= 9.2e18 ? .max : Int64(clamping: nanoseconds)
  }
}
