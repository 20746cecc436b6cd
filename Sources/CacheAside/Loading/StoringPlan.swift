/// How long a produced value lives, decided once for all tiers.
struct StoringPlan<Value: Sendable>: Sendable {
  let value: Value
  let cost: Int?
  let now: Moment
  let lifetime: Lifetime
  let windows: StaleWindows
  /// How long it is kept after that, in nanoseconds.
  let kept: Int64
  /// Whether producer and call let it be stored; a lifetime of zero still replaces what is there.
  let isStored: Bool
  let tags: [Tag]
  let validator: String?
  /// How long its load took; zero where nobody asks.
  let loadTime: Int64
  /// For idle expiry: how long it stays fresh after a read; zero when reads change nothing.
  let idle: Int64
  let refreshAhead: RefreshAhead?
  /// Whether memory keeps it when it needs room.
  let isPinned: Bool
  /// Whether the producer answered that the value before is still right.
  let isRenewal: Bool
  /// Whether it is kept, though it may have expired already.
  let isKept: Bool

  /// - Parameters:
  ///   - produced: what the producer answered.
  ///   - value: its value, or the previous one where that is still right.
  ///   - previous: that one's validator and tags.
  ///   - terms: the call's terms.
  ///   - storing: whether the call lets the value be stored.
  ///   - loadTime: how long the producer took.
  ///   - digest: the first bytes of the key's digest, for jitter.
  ///   - now: the present.
  ///   - keepsExpired: whether a value that has expired already is kept, as long as the policy keeps
  ///     what has expired; no load is answered with it.
  /// - Throws: `CacheError` with the code `invalidExpiry`.
  init(
    _ produced: Produced<Value>,
    value: Value,
    previous: PreviousEntry<Value>?,
    terms: LoadTerms,
    storing: (@Sendable (Value) -> Bool)?,
    loadTime: Int64,
    digest: @autoclosure () -> UInt64,
    now: Moment,
    keepsExpired: Bool = false
  ) throws {
    let fields = terms.fields
    self.value = value
    self.now = now
    cost = produced.cost
    var expiry = produced.expiry
    if expiry == nil, let negative = fields.negativeExpiry,
      (value as? any AnyOptional)?.isAbsent == true
    {
      expiry = negative
    }
    let chosen = expiry ?? fields.expiry ?? .never
    let full = try Lifetime(chosen, wall: now.wall)
    if let jitter = fields.jitter, jitter != .none, full.isPositive, full.remaining != .max {
      lifetime = Lifetime(remaining: jitter.applied(to: full.remaining, digest: digest()))
    } else {
      lifetime = full
    }
    windows = lifetime.isPositive ? terms.windows : .none
    kept = Lifetime.sum(windows.longest, (fields.keepExpired ?? .zero).nanoseconds)
    isKept = lifetime.isPositive || keepsExpired && kept > 0
    isStored = produced.isStored && storing?(value) ?? true
    let own = produced.tags + fields.tags.filter { !produced.tags.contains($0) }
    isRenewal = produced.value == nil
    tags = isRenewal ? own + (previous?.tags ?? []).filter { !own.contains($0) } : own
    validator = produced.validator ?? (isRenewal ? previous?.previous.validator : nil)
    refreshAhead = fields.refreshAhead
    isPinned = produced.isPinned || isRenewal && previous?.isPinned ?? false
    self.loadTime = fields.refreshAhead?.needsLoadTime == true ? loadTime : 0
    idle = chosen.idleInterval ?? 0
  }

  /// The end of freshness on the monotonic line.
  var deadline: Int64 { isStored ? lifetime.deadline(from: now.monotonic) : now.monotonic }

  /// What the waiters get.
  var loaded: Loaded<Value> { loaded(carrying: nil) }

  /// The same with what the entry carries.
  func loaded(carrying terms: EntryTerms?) -> Loaded<Value> {
    Loaded(
      value: value,
      source: .produced,
      storedAt: now.monotonic,
      deadline: deadline,
      terms: terms
    )
  }

  /// The end of freshness on the wall line.
  var freshUntil: Int64 { lifetime.freshUntil(from: now.wall) }

  /// The times and metadata of a record; its payload is the caller's.
  func stamp(_ entry: inout CacheEntry) {
    entry.created = now.wall
    entry.freshUntil = freshUntil
    entry.setKept(kept)
    entry.isExpiredByHand = false
    entry.setWindows(windows)
    entry.metadata.tags = tags
    entry.metadata.validator = validator
    entry.metadata.loadTime = loadTime > 0 ? loadTime : nil
    entry.metadata.idleInterval = idle > 0 ? idle : nil
  }
}
