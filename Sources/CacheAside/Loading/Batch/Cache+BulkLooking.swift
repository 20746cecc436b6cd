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
      let entries = try await tier.read(open.map { storeKeys[$0] })
      var rest: [Int] = []
      for place in open {
        if place < notes.count { notes[place]?.answers(entries[storeKeys[place]], self) }
        guard let entry = entries[storeKeys[place]] else {
          tier.counters.misses.add()
          rest.append(place)
          continue
        }
        switch judge(entry, storeKeys[place], tier, anyAge: anyAge) {
        case .usable(let loaded):
          tier.counters.hits.add()
          looks[place].look = .fresh(Found(loaded: loaded, entry: entry, index: index))
          continue
        case .unusable:
          if isAbsence(entry, anyAge) {
            tier.counters.hits.add()
            looks[place].absence = BulkLook.Absence(entry: entry, index: index)
            continue
          }
          tier.counters.misses.add()
          if case .nothing = looks[place].look,
            let aged = candidate(entry, storeKeys[place], tier, terms)
          {
            let found = Found(loaded: aged.loaded(.loadFailed), entry: entry, index: index)
            looks[place].look = .aged(found, aged)
          }
        case .otherSchema:
          tier.counters.misses.add()
          noteOtherSchema(storeKeys[place], tier)
        case .undecodable(let error):
          tier.counters.misses.add()
          await tier.discard(entry, storeKeys[place])
          try tier.refuseUndecodable(storeKeys[place], error)
        }
        rest.append(place)
      }
      open = rest
    }
    return looks
  }

  /// Whether a record says that there is no value of this type, freshly unless any age will do.
  private func isAbsence(_ entry: CacheEntry, _ anyAge: Bool) -> Bool {
    guard entry.payload == nil, entry.type == type else { return false }
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
