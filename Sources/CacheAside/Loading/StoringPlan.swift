/// How long a produced value lives, decided once for all tiers.
struct StoringPlan<Value: Sendable>: Sendable {
  let value: Value
  let cost: Int?
  let now: Moment
  let lifetime: Lifetime
  /// How long it is kept after that, in nanoseconds.
  let kept: Int64
  /// Whether producer and call let it be stored; a lifetime of zero still replaces what is there.
  let isStored: Bool

  /// - Throws: `CacheError` with the code `invalidExpiry`.
  init(
    _ produced: Produced<Value>,
    policy: CachePolicy,
    storing: (@Sendable (Value) -> Bool)?,
    now: Moment
  ) throws {
    value = produced.value
    cost = produced.cost
    self.now = now
    lifetime = try Lifetime(produced.expiry ?? policy.expiry ?? .never, wall: now.wall)
    kept = (policy.keepExpired ?? .zero).nanoseconds
    isStored = produced.isStored && storing?(produced.value) ?? true
  }

  /// What the waiters get.
  var loaded: Loaded<Value> {
    Loaded(
      value: value,
      source: .produced,
      storedAt: now.monotonic,
      deadline: isStored ? lifetime.deadline(from: now.monotonic) : now.monotonic
    )
  }
}
