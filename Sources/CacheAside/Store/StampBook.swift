// The stamps by what they are on. Pure: no clock, no lock.
//
// Invariants: the stamps of one list are in the order of the sequence, a removal only at the front,
// since it makes all before it needless. So the first stamp that is newer than a load decides about
// it: a removal, or the earliest of the expiries, which none after it can prolong. What is on a scope
// reaches every scope that contains it. Bounded: a list
// that is full makes its last stamp reach further; a stamp on several tags that finds no room goes on
// one of them; beyond the bounds on tags and scopes everything selectable that began before is out.
// Each loses entries, never an invalidation.

/// One invalidation of something: when in the sequence, and what it does.
struct Stamp: Equatable {
  var sequence: UInt64
  /// `nil` when it removes.
  var expiry: HandExpiry?
}

/// What has been invalidated in one feature.
struct StampBook {
  private struct Combination {
    let tags: [Tag]
    var stamps: [Stamp]
  }

  /// How many expiries one tag or namespace keeps apart.
  static let stampsKept = 8
  /// How many combinations of tags are kept.
  static let combinationsKept = 64

  private var tags: [Tag: [Stamp]] = [:]
  private var scopes: [CacheScope: [Stamp]] = [:]
  private var shapes = ScopeShapes()
  private var combinations: [Combination] = []
  /// Older loads of anything that carries a tag or a scope are out.
  private var floor: UInt64 = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func stamp(_ tag: Tag, _ stamp: Stamp) {
    makeRoom(at: stamp.sequence, unless: tags[tag] != nil)
    Self.add(stamp, to: &tags[tag, default: []])
  }

  mutating func stamp(_ scope: CacheScope, _ stamp: Stamp) {
    makeRoom(at: stamp.sequence, unless: scopes[scope] != nil)
    if !shapes.insert(scope) {
      clear(at: stamp.sequence)
      _ = shapes.insert(scope)
    }
    Self.add(stamp, to: &scopes[scope, default: []])
  }

  mutating func stamp(allOf tags: [Tag], _ stamp: Stamp) {
    if let index = combinations.firstIndex(where: { $0.tags == tags }) {
      return Self.add(stamp, to: &combinations[index].stamps)
    }
    guard combinations.count < Self.combinationsKept else { return self.stamp(tags[0], stamp) }
    combinations.append(Combination(tags: tags, stamps: [stamp]))
  }

  private mutating func makeRoom(at sequence: UInt64, unless isKnown: Bool) {
    guard !isKnown, tags.count + scopes.count >= limit else { return }
    clear(at: sequence)
  }

  private mutating func clear(at sequence: UInt64) {
    floor = sequence
    (tags, scopes, combinations, shapes) = ([:], [:], [], ScopeShapes())
  }

  private static func add(_ stamp: Stamp, to list: inout [Stamp]) {
    guard let expiry = stamp.expiry else { return list = [stamp] }
    if let last = list.last, let older = last.expiry,
      older == expiry || list.count >= stampsKept
    {
      list[list.count - 1] = Stamp(sequence: stamp.sequence, expiry: older.shorter(expiry))
    } else {
      list.append(stamp)
    }
  }

  /// The stamp that decides about something; an expiry is the shortest of all that reach it.
  func verdict(_ terms: EntryTerms) -> Stamp? {
    if terms.begun < floor { return Stamp(sequence: floor) }
    var verdict: Stamp?
    func look(_ list: [Stamp]?) {
      guard let stamp = list?.first(where: { terms.begun < $0.sequence }) else { return }
      guard let expiry = stamp.expiry else { return verdict = stamp }
      guard let known = verdict else { return verdict = stamp }
      if let older = known.expiry { verdict?.expiry = older.shorter(expiry) }
    }
    if let scope = terms.namespace?.scope {
      look(scopes[scope])
      for wider in shapes.enclosing(scope) { look(scopes[wider]) }
    }
    for tag in terms.tags { look(tags[tag]) }
    for combination in combinations
    where combination.tags.allSatisfy({ terms.tags.contains($0) }) {
      look(combination.stamps)
    }
    return verdict
  }
}
