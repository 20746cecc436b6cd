/// A named part of the program with its stores and lifetimes.
public struct Feature: CachesComponent, Sendable {
  private let plan: FeaturePlan

  /// Configures a feature.
  ///
  /// - Parameters:
  ///   - name: its name; part of every key in its stores.
  ///   - expiry: how long values stay fresh; `nil` inherits.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` inherits.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     inherits.
  ///   - tags: labels of every entry, by which they can be expired or removed.
  ///   - version: the version of its keys; raise it when stored values change their meaning.
  ///   - policy: everything else; a field of its own beats the policy's.
  ///   - stores: its stores, fastest first.
  public init(
    _ name: String,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    version: Int? = nil,
    policy: CachePolicy = CachePolicy(),
    @StoresBuilder stores: () throws -> [any StoreComponent]
  ) rethrows {
    let policy = CachePolicy(
      over: policy,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    )
    plan = FeaturePlan(name: name, version: version, policy: policy, stores: try stores())
  }

  /// Adds the feature.
  ///
  /// - Parameter plan: what has been said so far.
  /// - Throws: `CacheError` when the name is taken.
  public func apply(to plan: inout CachesPlan) throws { try plan.add(self.plan) }
}
