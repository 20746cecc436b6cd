// What was invalidated in a folder by tag, by namespace and as a whole, as a pure value.
//
// What: an epoch, which is random, and a sequence, which each invalidation moves by one. A record
// carries both as they stood when its load began (its mark). It is out when its epoch is another
// one, or when something that reaches it was invalidated at a higher sequence. Of each subject (a
// namespace, one of its tags, or several tags together) only the last removal and what was expired after it count.
//
// Invariants: a record without a mark began before the ledger was made: sequence zero, and valid as
// long as the ledger has seen no removal of everything. The number of subjects is bounded: beyond
// the bound the older half of them goes, and with it everything older that carries a tag or a scope
// (the floor), which loses entries, never an invalidation. Called by the disk store.
struct DiskLedger: Equatable, Sendable {
  /// What a stamp reaches.
  struct Subject: Hashable, Sendable {
    /// A namespace, as it prints; without a scope it covers its scopes.
    var namespace: String
    /// Its records that carry all of these tags, in order; none means all its records.
    var tags: [String] = []
  }

  /// An invalidation of one subject.
  struct Stamp: Hashable, Sendable {
    var subject: Subject
    var verb: StoreInvalidation.Verb
    /// Which invalidation it is; a number of its own, by which its writer finds it again.
    var id: UInt64
    /// Where it stands in the order; zero until it has a place.
    var sequence: UInt64 = 0
  }

  /// How many expiries of one subject are kept apart.
  private static let stampsKept = 8

  /// For how many subjects of several tags a namespace has room; of one beyond, its first tag counts.
  private static let mostConjunctions = 64

  /// Which ledger.
  let epoch: UInt64
  /// Whether records from before the ledger are valid.
  let admitsUnmarked: Bool
  /// How many invalidations there were.
  private(set) var sequence: UInt64
  /// What carries a tag or a scope and began before this is out.
  private(set) var floor: UInt64
  /// In their order; a removal only at the front, since it makes all before it needless.
  private var reaches: [Subject: [Stamp]] = [:]
  /// The subjects of several tags by their namespaces; there are few of them.
  private var conjunctions: [String: [[String]]] = [:]

  init(epoch: UInt64, admitsUnmarked: Bool, sequence: UInt64 = 0, floor: UInt64 = 0) {
    self.epoch = epoch
    self.admitsUnmarked = admitsUnmarked
    self.sequence = sequence
    self.floor = floor
  }

  /// A ledger whose epoch no other has.
  static func fresh(admitsUnmarked: Bool) -> DiskLedger {
    DiskLedger(epoch: UInt64.random(in: 1 ... .max), admitsUnmarked: admitsUnmarked)
  }

  /// Where it stands: the mark of a load that begins now.
  var mark: LoadMark { LoadMark(epoch: epoch, sequence: sequence) }

  /// All stamps that count, the oldest first.
  var stamps: [Stamp] {
    reaches.values.flatMap(\.self).sorted { ($0.sequence, $0.id) < ($1.sequence, $1.id) }
  }

  /// Adds a stamp; one without a place gets the next.
  mutating func add(_ stamp: Stamp) {
    var stamp = stamp
    if stamp.sequence == 0 {
      sequence += 1
      stamp.sequence = sequence
    }
    sequence = max(sequence, stamp.sequence)
    if stamp.subject.tags.count > 1, reaches[stamp.subject] == nil {
      if conjunctions[stamp.subject.namespace, default: []].count < Self.mostConjunctions {
        conjunctions[stamp.subject.namespace, default: []].append(stamp.subject.tags)
      } else {
        // Every record is compared with each of them, so there may not be many.
        stamp.subject.tags = [stamp.subject.tags[0]]
      }
    }
    Self.add(stamp, to: &reaches[stamp.subject, default: []])
  }

  private static func add(_ stamp: Stamp, to stamps: inout [Stamp]) {
    guard case .expire(let at, let staleIfError, let keepExpired) = stamp.verb else {
      return stamps = [stamp]
    }
    guard stamps.count >= stampsKept, let last = stamps.last,
      case .expire(let lastAt, let lastStaleIfError, let lastKeepExpired) = last.verb
    else { return stamps.append(stamp) }
    // The last one reaches further and leaves less, so that nothing is prolonged.
    stamps[stamps.count - 1] = stamp
    stamps[stamps.count - 1].verb = .expire(
      at: min(at, lastAt),
      staleIfError: min(staleIfError, lastStaleIfError),
      keepExpired: min(keepExpired, lastKeepExpired)
    )
  }

  /// The same with at most so many subjects, the latest.
  func folded(to limit: Int) -> DiskLedger {
    guard reaches.count > limit else { return self }
    var folded = self
    // Whole features are few, and no floor stands for them.
    let droppable = reaches.filter { !$0.key.tags.isEmpty || $0.key.namespace.contains(";") }
    let oldest = droppable.sorted { Self.newest($0.value) < Self.newest($1.value) }
      .prefix(reaches.count - limit)
    for (subject, reach) in oldest {
      folded.floor = max(folded.floor, Self.newest(reach))
      folded.reaches[subject] = nil
      folded.conjunctions[subject.namespace]?.removeAll { $0 == subject.tags }
    }
    return folded
  }

  /// A record as it is after what was invalidated; `nil` when it is out.
  func judged(_ entry: CacheEntry, in namespace: Namespace?) -> CacheEntry? {
    let mark = entry.metadata.loadMark ?? .none
    guard mark.epoch == epoch || (mark.epoch == 0 && admitsUnmarked) else { return nil }
    let begun = mark.epoch == 0 ? 0 : mark.sequence
    guard begun < sequence, let namespace else { return entry }
    let tags = entry.metadata.tags.map(\.description)
    if begun < floor, !tags.isEmpty || !namespace.scope.isEmpty { return nil }
    var judged = entry
    for name in Self.names(of: namespace) {
      var subjects = [Subject(namespace: name)]
      subjects += tags.map { Subject(namespace: name, tags: [$0]) }
      for wanted in conjunctions[name] ?? [] where wanted.allSatisfy(tags.contains) {
        subjects.append(Subject(namespace: name, tags: wanted))
      }
      for stamp in subjects.flatMap({ reaches[$0] ?? [] }) where stamp.sequence > begun {
        guard let kept = stamp.applied(to: judged) else { return nil }
        judged = kept
      }
    }
    return judged
  }

  private static func newest(_ stamps: [Stamp]) -> UInt64 { stamps.last?.sequence ?? 0 }

  /// A namespace and the one that covers it, as they print.
  private static func names(of namespace: Namespace) -> [String] {
    let own = namespace.description
    return namespace.scope.isEmpty ? [own] : [own, namespace.scoped(.none).description]
  }
}

extension DiskLedger.Stamp {
  /// A record that it reaches, after it.
  func applied(to entry: CacheEntry) -> CacheEntry? {
    let namespace = Namespace("")
    return StoreInvalidation(verb, .everything, in: namespace).applied(to: entry)
  }

  /// The stamps of an invalidation; none when it selects nothing.
  static func stamps(
    of invalidation: StoreInvalidation,
    id: () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) -> [DiskLedger.Stamp] {
    let namespace = invalidation.namespace.description
    let lists: [[String]] =
      switch invalidation.selection {
      case .everything: [[]]
      case .anyOf(let tags): Set(tags).map { [$0.description] }.sorted { $0[0] < $1[0] }
      case .allOf(let tags): tags.isEmpty ? [] : [Set(tags.map(\.description)).sorted()]
      }
    return lists.map { tags in
      DiskLedger.Stamp(
        subject: DiskLedger.Subject(namespace: namespace, tags: tags),
        verb: invalidation.verb,
        id: id()
      )
    }
  }

  /// What it did, as others have to do it in memory; `nil` for a namespace that cannot be read.
  var invalidation: StoreInvalidation? {
    guard let namespace = Namespace(description: subject.namespace) else { return nil }
    let tags = subject.tags.map { Tag($0) }
    return StoreInvalidation(verb, tags.isEmpty ? .everything : .allOf(tags), in: namespace)
  }
}
