/// The limits of a feature's memory tables; each table holds them for itself.
public struct MemoryPlan: Hashable, Sendable {
  /// How much a table may hold.
  public var limits: MemoryLimits

  /// Which entry leaves when there is no room.
  public var policy: EvictionPolicy

  /// Whether a table fills to its limit exactly, with one lock for all.
  public var isExact: Bool

  /// Whether integer keys, too, are hashed by a keyed hash, for keys that an attacker may choose.
  public var resistsFlooding: Bool

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - limits: how much a table may hold; by default 10,000 entries.
  ///   - policy: which entry leaves when there is no room.
  ///   - isExact: whether a table fills to its limit exactly.
  ///   - resistsFlooding: whether integer keys, too, are hashed by a keyed hash.
  public init(
    limits: MemoryLimits = .count(10_000),
    policy: EvictionPolicy = .lazyTinyLFU,
    isExact: Bool = false,
    resistsFlooding: Bool = false
  ) {
    self.limits = limits
    self.policy = policy
    self.isExact = isExact
    self.resistsFlooding = resistsFlooding
  }

  /// No memory at all, for a feature that has only slower stores.
  static let none = MemoryPlan(limits: .count(0))

  /// Whether anything may be stored.
  var storesAnything: Bool { limits.countLimit != 0 && limits.costLimit != 0 }

  /// Makes a table's store.
  ///
  /// The limits were checked when the plan was accepted, so a refusal here is a fault of ours.
  func makeStore<Key: Hashable & Sendable, Value: Sendable>(
    time: TimeSource,
    stamps: InvalidationStamps? = nil,
    onRemoval: (@Sendable (Key, Value, RemovalReason) -> Void)?
  ) -> MemoryStore<Key, Value> {
    do {
      return try MemoryStore(
        limits: limits,
        policy: policy,
        exact: isExact,
        time: time,
        resistsFlooding: resistsFlooding,
        stamps: stamps,
        listener: onRemoval
      )
    } catch {
      preconditionFailure("a memory plan was used before its limits were checked: \(error)")
    }
  }
}
