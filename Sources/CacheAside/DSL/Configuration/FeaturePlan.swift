/// What a `Feature(…) { … }` says, before its caches are made.
public struct FeaturePlan: Sendable {
  /// The feature's name, in normal form C: canonically equal names are one feature in every store.
  public let name: String

  /// The version of its namespace; another version starts empty.
  public var version: Int?

  /// The feature's own policy; what it leaves unset is inherited from the defaults.
  public var policy: CachePolicy

  /// Its stores.
  public var stores: [any StoreComponent]

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - name: the feature's name.
  ///   - version: the version of its namespace.
  ///   - policy: its own policy.
  ///   - stores: its stores, fastest first.
  public init(
    name: String,
    version: Int? = nil,
    policy: CachePolicy = CachePolicy(),
    stores: [any StoreComponent]
  ) {
    self.name = Normalize.nfc(name)
    self.version = version
    self.policy = policy
    self.stores = stores
  }

  /// Opens the stores and makes the feature; what the advisor says becomes events.
  func makeCore(
    defaults: CachePolicy,
    time: TimeSource,
    isStrict: Bool = false
  ) throws -> FeatureCore {
    guard !name.isEmpty else {
      throw CacheError(.invalidConfiguration, "a feature needs a name; \"\" is none")
    }
    var plan = StoresPlan(feature: name, time: time)
    for store in stores { try store.apply(to: &plan) }
    guard plan.memory != nil || !plan.tiers.isEmpty else {
      throw CacheError(
        .invalidConfiguration,
        "feature \"\(name)\" has no stores; give it at least one, such as Memory()"
      )
    }
    let merged = policy.inheriting(from: defaults)
    let terms: LoadTerms
    do { terms = try LoadTerms(merged) } catch let error as CacheError {
      throw CacheError(
        .invalidConfiguration,
        "feature \"\(name)\": \(error.message)",
        cause: error
      )
    }
    let memory = plan.memory ?? .none
    do { try memory.limits.validate() } catch {
      throw CacheError(
        .invalidConfiguration,
        "feature \"\(name)\" has a negative memory limit; allowed are zero, which stores nothing, "
          + "positive numbers, and .unlimited",
        cause: error
      )
    }
    let advice = PolicyAdvisor.advice(
      for: PolicyAdvisor.Subject(
        policy: merged,
        memory: plan.memory,
        stores: plan.tiers.map(\.store.name)
      )
    )
    if isStrict { try advice.refuseContradictions(of: name) }
    let core = FeatureCore(
      name: name,
      version: version,
      terms: terms,
      memory: memory,
      tiers: plan.tiers,
      time: time,
      isStrict: isStrict
    )
    core.advise(advice)
    return core
  }
}
