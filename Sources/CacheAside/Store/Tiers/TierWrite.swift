/// What a tier does to one key.
struct TierWrite: Sendable {
  /// What becomes of a record that was looked at.
  enum Edit: Sendable {
    case keep, remove
    case replace(CacheEntry)
  }

  enum Change: Sendable {
    /// Writes a record, with where the tier's invalidations stood when its load began.
    case set(CacheEntry, LoadMark?)
    case remove
    /// Reads the record and keeps, replaces or removes it; gets the store's mark from before.
    case edit(@Sendable (CacheEntry, LoadMark?) -> Edit)
    /// Removes a record that cannot be used, if it is still the one that was read.
    case discard(CacheEntry)
  }

  /// What a failure means.
  enum FailureRule: Sendable {
    /// An event, and nothing is served for the key until it is removed.
    case hide
    /// An event only.
    case report
    /// Nothing: whoever asked for many of them does what is needed.
    case nothing
  }

  enum Outcome: Sendable {
    case done, superseded
    case failed(any Error)

    var error: (any Error)? { if case .failed(let error) = self { error } else { nil } }
    var isDone: Bool { if case .done = self { true } else { false } }
  }

  let key: CacheKey
  let change: Change
  var onFailure = FailureRule.hide
  /// Which tombstone it needs: another one, or none, says that something newer has taken its place.
  var stone = Tombstones.Need.none
  /// Whether something newer takes its place; asked inside the gate and under the tombstones' lock.
  var isSuperseded: @Sendable () -> Bool = { false }
  /// The call that it is done for, under a trace.
  var note: CallNote?

  var isSet: Bool { if case .set = change { true } else { false } }
}

/// What a tier does to many keys, which its store finds.
enum TierSweep: Sendable {
  /// Removes everything.
  case clear(Namespace?)
  case invalidate(StoreInvalidation)
  /// Changes what meets a condition; what is changed to `nil` leaves.
  case change(
    Namespace,
    where: @Sendable (CacheKey, CacheEntry) -> Bool,
    @Sendable (CacheEntry) -> CacheEntry?
  )

  var namespace: Namespace? {
    switch self {
    case .clear(let namespace): namespace
    case .invalidate(let invalidation): invalidation.namespace
    case .change(let namespace, _, _): namespace
    }
  }

  /// What must not be served until it is done: for a condition everything.
  var selection: StoreInvalidation.Selection {
    if case .invalidate(let invalidation) = self { return invalidation.selection }
    return .everything
  }

  var kind: TierOperation.Kind { if case .clear = self { .clear } else { .invalidation } }
}
