// What every way into a store has to check and to clean up: the rules that keep an older value from
// being served. Called behind the gates, by both interpreters of `Tier+Store`.

extension Tier {
  /// Begins an operation that may take as long as its kind is allowed.
  func begin(
    _ kind: TierOperation.Kind,
    _ key: CacheKey? = nil,
    count: Int = 1
  ) throws -> TierOperation {
    try operations.begin(
      kind,
      key,
      count: count,
      within: deadlines.limit(kind, count: count)
    )
  }

  /// Checks a change when its turn has come; `nil` lets it be done.
  func begin(_ write: TierWrite) -> TierWrite.Outcome? {
    if isSuperseded(write) { return .superseded }
    guard tombstones.isHeld(write.key) else { return nil }
    let error = CacheError(
      .storeFailed,
      "a write of the key that the store \"\(name)\" did not answer in time may still arrive",
      key: write.key
    )
    return fail(write, error)
  }

  /// Whether something newer has taken the place of a change.
  func isSuperseded(_ write: TierWrite) -> Bool {
    write.isSuperseded() || !tombstones.has(write.stone, write.key)
  }

  /// A change is done: what hid the key's older record is needless.
  ///
  /// A synchronous call may have put a stone meanwhile: then the write is superseded, or the stone is
  /// newer than the token.
  func succeed(_ write: TierWrite, _ token: UInt64) -> TierWrite.Outcome {
    switch write.change {
    case .discard: break
    case .set, .remove, .edit:
      tombstones.lift(write.key, upTo: token, write.stone, unless: write.isSuperseded)
    }
    return .done
  }

  /// A change has failed: what may be there must not be served.
  ///
  /// - Parameters:
  ///   - write: the change.
  ///   - error: why.
  ///   - gone: up to which token what was hidden has been removed; `nil` when it may still be there.
  ///   - queued: up to which token what is queued for the key is older, and must not be done any more.
  ///     Once a change has waited for the queue, all that is queued is newer.
  /// - Returns: the outcome, for its caller.
  func fail(
    _ write: TierWrite,
    _ error: any Error,
    gone: UInt64? = nil,
    replacing queued: UInt64 = 0
  ) -> TierWrite.Outcome {
    switch write.onFailure {
    case .nothing: return .failed(error)
    case .report: report(.removalFailed, write.key, error)
    case .hide:
      if let gone {
        tombstones.lift(write.key, upTo: gone, write.stone, unless: write.isSuperseded)
      } else {
        tombstones.put(
          write.key,
          wall: newestWall,
          write.stone,
          replacing: queued,
          unless: write.isSuperseded
        )
      }
      if write.isSet {
        counters.writeFailures.add()
        report(.writeFailed, write.key, error)
      } else {
        report(.removalFailed, write.key, error)
      }
    }
    return .failed(error)
  }

  /// What becomes of a record that is looked at; one that a removal could not take leaves now.
  func edited(
    _ entry: CacheEntry,
    _ write: TierWrite,
    _ edit: (CacheEntry, LoadMark?) -> TierWrite.Edit,
    _ mark: LoadMark?
  ) -> TierWrite.Edit {
    if let wall = tombstones.wall(of: write.key), mayPrecede(entry, wall) { return .remove }
    return edit(entry, mark)
  }

  /// Whether a record may have been there at a moment; of one from the future nobody knows.
  func mayPrecede(_ entry: CacheEntry, _ wall: Int64) -> Bool {
    entry.created <= wall || Lifetime.isFromTheFuture(created: entry.created, wall: time.wall)
  }

  /// How a sweep is done here: by the store itself, or record by record.
  func plan(_ sweep: TierSweep) -> TierSweep {
    guard case .invalidate(let invalidation) = sweep else { return sweep }
    if invalidation.isRemovalOfAll { return .clear(invalidation.namespace) }
    if store.capabilities.contains(.invalidate) { return sweep }
    return .change(
      invalidation.namespace,
      where: { invalidation.selects($0, $1) },
      { invalidation.applied(to: $0) }
    )
  }

  /// The change of one record that a sweep has found, if it is still the same.
  static func edit(
    _ key: CacheKey,
    _ fingerprint: Int,
    _ change: @escaping @Sendable (CacheEntry) -> CacheEntry?
  ) -> TierWrite {
    TierWrite(
      key: key,
      change: .edit { entry, mark in
        guard entry.hashValue == fingerprint else { return .keep }
        guard var changed = change(entry) else { return .remove }
        changed.metadata.loadMark = mark
        return .replace(changed)
      },
      onFailure: .nothing
    )
  }

  /// The record as it is written: with the mark of its load, and its life from now on cut to what
  /// this tier allows.
  func prepared(_ entry: CacheEntry, _ mark: LoadMark?) -> CacheEntry {
    noteWrite(created: entry.created)
    var entry = entry
    entry.metadata.loadMark = mark
    guard lifetimeCap != .max else { return entry }
    let start = max(entry.created, time.wall)
    entry.endFreshness(at: Lifetime(remaining: lifetimeCap).freshUntil(from: start))
    return entry
  }
}

extension CacheKey {
  /// Which stripe of a gate the key passes.
  var stripe: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash ^ (hash >> 32)
  }
}
