/// What every feature inherits, field by field.
public struct Defaults: CachesComponent, Sendable {
  private let policy: CachePolicy

  /// Sets defaults.
  ///
  /// - Parameters:
  ///   - expiry: how long values stay fresh.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` means not at all.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     means not at all.
  ///   - tags: labels of every entry, by which entries can be expired or removed.
  ///   - policy: everything else; a field of its own beats the policy's.
  public init(
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy = CachePolicy()
  ) {
    self.policy = CachePolicy(
      over: policy,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    )
  }

  /// Lays the defaults over those that were set before.
  ///
  /// - Parameter plan: what has been said so far.
  public func apply(to plan: inout CachesPlan) {
    plan.defaults = policy.inheriting(from: plan.defaults)
  }
}
