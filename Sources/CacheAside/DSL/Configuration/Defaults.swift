/// What every feature inherits, field by field.
public struct Defaults: CachesComponent, Sendable {
  private let policy: CachePolicy

  /// Sets defaults.
  ///
  /// - Parameters:
  ///   - expiry: how long values stay fresh.
  ///   - policy: everything else; a field of its own beats the policy's.
  public init(expiry: Expiry? = nil, policy: CachePolicy = CachePolicy()) {
    var policy = policy
    if let expiry { policy.expiry = expiry }
    self.policy = policy
  }

  /// Lays the defaults over those that were set before.
  ///
  /// - Parameter plan: what has been said so far.
  public func apply(to plan: inout CachesPlan) {
    plan.defaults = policy.inheriting(from: plan.defaults)
  }
}
