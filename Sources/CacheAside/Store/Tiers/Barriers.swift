// What a tier must not serve because an invalidation of many records failed or is queued: barriers on
// selections of records, found by what they select: by their scope, and by one tag where they name tags.
// A record lies within the scopes of a barrier when it has all parts of them, so a look-up takes each set
// of part names that barriers go by (`ScopeShapes`), and costs a step for each of these sets and each tag
// of the record, however many barriers there are. A pure value; `Tombstones` locks.

/// Hides the records of a selection that were created up to a moment.
struct Barrier: Sendable {
  /// What makes two barriers one.
  struct Identity: Hashable {
    let namespace: Namespace?
    let selection: StoreInvalidation.Selection
    let isRemoval: Bool
    var isCollapsed = false
  }

  let token: UInt64
  /// Nothing that was created up to this moment passes.
  var wall: Int64
  /// Where the records are; `nil` for everywhere.
  let namespace: Namespace?
  let selection: StoreInvalidation.Selection
  /// What is to be done; `nil` once it is only remembered.
  var sweep: TierSweep?
  /// Whether the work is queued; otherwise it has failed and has to be repeated.
  var isQueued: Bool
  /// Whether it stands for several that there was no room for.
  var isCollapsed = false

  /// `nil` for a condition, which equals no other.
  var identity: Identity? {
    guard let sweep else { return nil }
    switch sweep {
    case .clear(let namespace):
      return Identity(
        namespace: namespace,
        selection: .everything,
        isRemoval: true,
        isCollapsed: isCollapsed
      )
    case .invalidate(let invalidation):
      return Identity(invalidation)
    case .change: return nil
    }
  }

  /// Whether a record must not be served.
  func hides(_ key: CacheKey, _ entry: CacheEntry) -> Bool {
    WorkLog.count(.entry)
    return entry.created <= wall && namespace?.covers(key.namespace) != false
      && selection.selects { entry.metadata.tags }
  }
}

extension Barrier.Identity {
  init(_ invalidation: StoreInvalidation) {
    self.init(
      namespace: invalidation.namespace,
      selection: invalidation.selection,
      isRemoval: invalidation.verb == .remove
    )
  }
}

/// The barriers of one tier.
struct Barriers {
  /// Where barriers that may concern a record are found.
  private struct Place: Hashable {
    var scope = CacheScope.none
    /// A tag that the record must have; `nil` for none.
    var tag: Tag?
  }

  private struct Shelf {
    /// The newest of their moments: what was created later passes them all.
    var wall: Int64 = .min
    var barriers: [UInt64: Barrier] = [:]
  }

  private(set) var all: [UInt64: Barrier] = [:]
  private var shelves: [Place: Shelf] = [:]
  /// Where each of them is filed.
  private var places: [UInt64: [Place]] = [:]
  /// The sets of part names that they are filed by.
  private var shapes = ScopeShapes()
  private var identities: [Barrier.Identity: UInt64] = [:]
  /// How many stand for failed work.
  private(set) var failedCount = 0

  var isEmpty: Bool { all.isEmpty }

  /// The barrier that stands for the same selection.
  func token(of identity: Barrier.Identity) -> UInt64? { identities[identity] }

  /// Adds a barrier in the place of one for the same selection.
  ///
  /// - Returns: that one, to be released outside the lock.
  mutating func add(_ new: Barrier) -> Barrier? {
    var barrier = new
    let identity = barrier.identity
    let older = identity.flatMap { identities[$0] }.flatMap { remove($0) }
    if let older { barrier.wall = max(barrier.wall, older.wall) }
    all[barrier.token] = barrier
    if let identity { identities[identity] = barrier.token }
    if !barrier.isQueued { failedCount += 1 }
    let places = choosePlaces(for: barrier)
    self.places[barrier.token] = places
    for place in places {
      var shelf = shelves.removeValue(forKey: place) ?? Shelf()
      shelf.barriers[barrier.token] = barrier
      shelf.wall = max(shelf.wall, barrier.wall)
      shelves[place] = shelf
    }
    return older
  }

  /// Takes a barrier off.
  mutating func remove(_ token: UInt64) -> Barrier? {
    guard let barrier = all.removeValue(forKey: token) else { return nil }
    if let identity = barrier.identity, identities[identity] == token {
      identities[identity] = nil
    }
    if !barrier.isQueued { failedCount -= 1 }
    for place in places.removeValue(forKey: token) ?? [] {
      shelves[place]?.barriers[token] = nil
      if shelves[place]?.barriers.isEmpty == true { shelves[place] = nil }
    }
    if all.isEmpty { shapes = ScopeShapes() }
    return barrier
  }

  /// Whether a record must not be served.
  func hide(_ key: CacheKey, _ entry: CacheEntry) -> Bool {
    if all.isEmpty { return false }
    let scope = key.namespace?.scope ?? .none
    if hide(key, entry, within: scope) { return true }
    return shapes.enclosing(scope).contains { hide(key, entry, within: $0) }
  }

  private func hide(_ key: CacheKey, _ entry: CacheEntry, within scope: CacheScope) -> Bool {
    hide(key, entry, at: Place(scope: scope))
      || entry.metadata.tags.contains { hide(key, entry, at: Place(scope: scope, tag: $0)) }
  }

  private func hide(_ key: CacheKey, _ entry: CacheEntry, at place: Place) -> Bool {
    WorkLog.count(.entry)
    guard let shelf = shelves[place], entry.created <= shelf.wall else { return false }
    return shelf.barriers.values.contains { $0.hides(key, entry) }
  }

  /// Where a barrier is filed.
  private mutating func choosePlaces(for barrier: Barrier) -> [Place] {
    let namespaced = barrier.namespace?.scope ?? .none
    // Without room for its set of names it is found from everywhere, and asked what it covers. The empty
    // set always has room, since it comes first.
    if all.count == 1 { _ = shapes.insert(.none) }
    let scope = shapes.insert(namespaced) ? namespaced : .none
    switch barrier.selection {
    case .everything: return [Place(scope: scope)]
    case .anyOf(let tags): return Set(tags).map { Place(scope: scope, tag: $0) }
    case .allOf(let tags):
      // Any of the tags finds it; the one that finds the fewest others is best.
      let places = tags.map { Place(scope: scope, tag: $0) }
      return places.min { count(at: $0) < count(at: $1) }.map { [$0] } ?? []
    }
  }

  private func count(at place: Place) -> Int { shelves[place]?.barriers.count ?? 0 }
}
