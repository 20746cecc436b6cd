/// Everything that decides how long a value lives and how its load behaves.
///
/// Every field is optional; an unset field is inherited. Precedence, field by field: producer,
/// call, feature, defaults.
public struct CachePolicy: Hashable, Sendable {
  /// How long a value stays fresh; unset everywhere means never expiring.
  public var expiry: Expiry?

  /// How long an expired value is kept for reads that ask for any age; unset means not at all.
  ///
  /// Only `entry(for:)`, `.anyAge` and the AwesomeCache reads that ask for expired objects see it.
  /// A call's own counts for what that call stores; `expire` goes by the feature's.
  public var keepExpired: Window?

  /// What happens to a load when its last waiter has left; unset means it is cancelled.
  public var whenUnobserved: WhenUnobserved?

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - expiry: how long a value stays fresh.
  ///   - keepExpired: how long an expired value is kept for reads that ask for any age.
  ///   - whenUnobserved: what happens to a load when its last waiter has left.
  public init(
    expiry: Expiry? = nil,
    keepExpired: Window? = nil,
    whenUnobserved: WhenUnobserved? = nil
  ) {
    self.expiry = expiry
    self.keepExpired = keepExpired
    self.whenUnobserved = whenUnobserved
  }

  /// This policy, with what it leaves unset taken from another.
  ///
  /// - Parameter other: the policy of lower precedence.
  /// - Returns: the merged policy.
  public func inheriting(from other: CachePolicy) -> CachePolicy {
    CachePolicy(
      expiry: expiry ?? other.expiry,
      keepExpired: keepExpired ?? other.keepExpired,
      whenUnobserved: whenUnobserved ?? other.whenUnobserved
    )
  }
}
