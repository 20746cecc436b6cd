/// What the slower tiers have for one of several keys.
struct BulkLook<Value: Sendable>: Sendable {
  /// A record that says that there is no value.
  struct Absence: Sendable {
    let entry: CacheEntry
    /// The tier's place in the chain.
    let index: Int
  }

  var look = Look<Value>.nothing
  var absence: Absence?
}

extension Cache {
  /// Looks through the slower tiers, nearest first, each asked once for all that is still missing.
  ///
  /// - Parameters:
  ///   - storeKeys: the keys as stores see them, each once.
  ///   - terms: what may be served stale.
  ///   - anyAge: whether what has expired is found like what is fresh.
  ///   - notes: where the answers are noted, one a key or none at all.
  /// - Returns: what was found, in the order of the keys; uncounted as lookups.
  /// - Throws: only under the fault policy `.fail`, and for cancellation.
  func lookAll(
    _ storeKeys: [CacheKey],
    _ terms: LoadTerms,
    anyAge: Bool = false,
    notes: [CallNote?] = []
  ) async throws -> [BulkLook<Value>] {
    var looks = storeKeys.map { _ in BulkLook<Value>() }
    var open = Array(storeKeys.indices)
    for (index, tier) in core.tiers.enumerated() where !open.isEmpty {
      for place in open where place < notes.count { notes[place]?.asks(tier.name) }
      let entries = try await tier.read(
        open.map { storeKeys[$0] },
        notes.isEmpty ? [] : open.map { $0 < notes.count ? notes[$0] : nil }
      )
      var rest: [Int] = []
      for (place, entry) in zip(open, entries) {
        if place < notes.count { notes[place]?.answers(entry, self) }
        if let entry, isAbsence(entry, anyAge) {
          tier.counters.hits.add()
          looks[place].absence = BulkLook.Absence(entry: entry, index: index)
          continue
        }
        let storeKey = storeKeys[place]
        switch examine(entry, storeKey, tier, index, anyAge: anyAge) {
        case .take(let found):
          looks[place].look = .fresh(found)
          continue
        case .discard(let entry, let error):
          await tier.discard(entry, storeKey)
          try tier.refuseUndecodable(storeKey, error)
        case .next:
          if let entry {
            noteAged(entry, storeKey, tier, index, terms, in: &looks[place].look)
          }
        }
        rest.append(place)
      }
      open = rest
    }
    return looks
  }

  /// Whether a record says that there is no value of this type, freshly unless any age will do.
  private func isAbsence(_ entry: CacheEntry, _ anyAge: Bool) -> Bool {
    guard entry.payload == nil, entry.type == type, !isOwnForm(entry) else { return false }
    let freshness = Freshness(
      created: entry.created,
      freshUntil: entry.freshUntil,
      keptUntil: entry.keptUntil,
      isExpiredByHand: entry.isExpiredByHand,
      wall: core.now.wall
    )
    return freshness == .fresh || (anyAge && freshness == .expired)
  }
}
