/// Everything that decides how long a value lives and how its load behaves.
///
/// Every field is optional; an unset field is inherited. Precedence, field by field: producer,
/// call, feature, defaults. A policy is one reference in size, however much it says.
public struct CachePolicy: Hashable, Sendable {
  /// What the policy says, behind a reference; `nil` says nothing.
  private final class Storage: Sendable {
    let fields: Fields
    init(_ fields: Fields) { self.fields = fields }
  }

  private var storage: Storage?

  /// A policy that leaves everything to others.
  public init() {}

  /// Makes a policy of what is said most often; every other field can be set afterwards.
  ///
  /// - Parameters:
  ///   - expiry: how long a value stays fresh.
  ///   - staleWhileRevalidate: how long after that it is still returned while it is loaded again.
  ///   - staleIfError: how long after that it is still returned when a load fails.
  ///   - keepExpired: how long an expired value is kept for reads that ask for any age.
  ///   - whenUnobserved: what happens to a load when its last waiter has left.
  ///   - tags: labels of every entry.
  public init(
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    keepExpired: Window? = nil,
    whenUnobserved: WhenUnobserved? = nil,
    tags: [Tag] = []
  ) {
    var fields = Fields()
    fields.expiry = expiry
    fields.staleWhileRevalidate = staleWhileRevalidate
    fields.staleIfError = staleIfError
    fields.keepExpired = keepExpired
    fields.whenUnobserved = whenUnobserved
    fields.tags = tags
    self.fields = fields
  }

  /// What the policy says; setting it copies.
  var fields: Fields {
    get { storage?.fields ?? Fields() }
    set { storage = newValue == Fields() ? nil : Storage(newValue) }
  }

  /// Whether the policy says nothing.
  var isEmpty: Bool { storage == nil }

  /// This policy, with what it leaves unset taken from another; the tags of both.
  ///
  /// - Parameter other: the policy of lower precedence.
  /// - Returns: the merged policy.
  public func inheriting(from other: CachePolicy) -> CachePolicy {
    if storage === other.storage || isEmpty { return other }
    if other.isEmpty { return self }
    var merged = self
    merged.fields = fields.inheriting(from: other.fields)
    return merged
  }

  /// Whether two policies say the same.
  ///
  /// - Parameters:
  ///   - lhs: one.
  ///   - rhs: the other.
  /// - Returns: whether they do.
  public static func == (lhs: CachePolicy, rhs: CachePolicy) -> Bool {
    lhs.storage === rhs.storage || lhs.fields == rhs.fields
  }

  /// Feeds what the policy says into a hasher.
  ///
  /// - Parameter hasher: where to.
  public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}
