// What was invalidated in a folder by tag, by namespace and as a whole, as a pure value.
//
// What: an epoch, which is random, and a sequence, which each invalidation moves by one. A record
// carries both as they stood when its load began (its mark). It is out when its epoch is another
// one, or when something that reaches it was invalidated at a higher sequence. Of each subject (a
// namespace, one of its tags, or several tags together) only the last removal and what was expired after it count.
//
// Invariants: a record without a mark began before the ledger was made: sequence zero, and valid as
// long as the ledger has seen no removal of everything. Of the subjects the latest 4,096 are known by name; of
// older ones only the number and when they were removed last (an expiry becomes a removal then), of
// 262,144 at most; beyond that the oldest quarter goes, and with it everything older that carries a tag or a scope
// (the floor). A stamp that is damaged may have been any: everything older than the next one is out
// (the base), or what carries a tag or scope if its head says that it had one. Each of these loses entries, never an
// invalidation. Called by the disk store.
struct DiskLedger: Equatable, Sendable {
  /// What a stamp reaches.
  struct Subject: Hashable, Sendable {
    /// A namespace, as it prints; it covers every scope that contains its own.
    var namespace: String
    /// Its records that carry all of these tags, in order; none means all its records.
    var tags: [String] = []

    /// Whether its namespace has a scope, which nothing else prints this way.
    var isScoped: Bool { namespace.utf8.contains(0x3B) }

    /// The scope of its namespace.
    var scope: CacheScope { Namespace(description: namespace)?.scope ?? .none }
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

  /// What is known of a subject by name.
  private enum Reach: Equatable {
    /// It was removed, and not expired since.
    case removal(id: UInt64, sequence: UInt64)
    /// In their order; a removal only at the front, since it makes all before it needless.
    case several([Stamp])

    /// Where its last stamp stands.
    var newest: UInt64 {
      switch self {
      case .removal(_, let sequence): sequence
      case .several(let stamps): stamps.last?.sequence ?? 0
      }
    }

    /// Which stamp is its last.
    var lastID: UInt64? {
      switch self {
      case .removal(let id, _): id
      case .several(let stamps): stamps.last?.id
      }
    }

    /// Its stamps.
    func stamps(on subject: Subject) -> [Stamp] {
      switch self {
      case .removal(let id, let sequence):
        [Stamp(subject: subject, verb: .remove, id: id, sequence: sequence)]
      case .several(let stamps): stamps
      }
    }
  }

  /// How many subjects are known by name after folding.
  static let mostNames = 4_096

  /// How many are known by number after folding.
  static let mostNumbers = 262_144

  /// How many of the last stamps are kept in their order.
  private static let mostRecent = 1_024

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
  /// What began before this is out, whatever it carries.
  private(set) var base: UInt64 = 0
  private var reaches: [Subject: Reach] = [:]
  /// When the subjects that are not known by name any more were removed last, by their numbers.
  private(set) var numbers: [UInt64: UInt64] = [:]
  /// The latest of these.
  private var newestNumber: UInt64 = 0
  /// The subjects of several tags by their namespaces; there are few of them.
  private var conjunctions: [String: [[String]]] = [:]
  /// The last stamps, and after which number in the sequence there is no other.
  private var recent: [Stamp] = []
  private var recentBegin: UInt64
  /// The sets of names by which scopes are among the subjects.
  private var shapes = ScopeShapes()

  init(epoch: UInt64, admitsUnmarked: Bool, sequence: UInt64 = 0, floor: UInt64 = 0) {
    self.epoch = epoch
    self.admitsUnmarked = admitsUnmarked
    self.sequence = sequence
    self.floor = floor
    recentBegin = sequence
  }

  /// What they say is the same; in what order they learned it is not.
  static func == (lhs: DiskLedger, rhs: DiskLedger) -> Bool {
    lhs.mark == rhs.mark && lhs.admitsUnmarked == rhs.admitsUnmarked && lhs.floor == rhs.floor
      && lhs.base == rhs.base && lhs.reaches == rhs.reaches && lhs.numbers == rhs.numbers
      && lhs.conjunctions == rhs.conjunctions
  }

  /// A ledger whose epoch no other has.
  static func fresh(admitsUnmarked: Bool) -> DiskLedger {
    DiskLedger(epoch: UInt64.random(in: 1 ... .max), admitsUnmarked: admitsUnmarked)
  }

  /// Where it stands: the mark of a load that begins now.
  var mark: LoadMark { LoadMark(epoch: epoch, sequence: sequence) }

  /// All stamps that are known by name and count, the oldest first.
  var stamps: [Stamp] {
    reaches.flatMap { $1.stamps(on: $0) }
      .sorted { ($0.sequence, $0.id) < ($1.sequence, $1.id) }
  }

  /// The stamps after a place in the order; `nil` when they are not all known by name.
  ///
  /// - Complexity: O(those stamps), as long as they are among the last thousand.
  func stamps(since begin: UInt64) -> [Stamp]? {
    if max(floor, base, newestNumber) > begin { return nil }
    if begin >= recentBegin {
      let later = recent.reversed().prefix { $0.sequence > begin }
      WorkLog.count(.entry, later.count)
      return later.reversed()
    }
    WorkLog.count(.entry, reaches.count)
    return stamps.filter { $0.sequence > begin }
  }

  /// How long the names of the subjects are that are known by name.
  var nameBytes: Int {
    reaches.keys.reduce(0) { sum, subject in
      sum + subject.namespace.utf8.count + subject.tags.reduce(0) { $0 + $1.utf8.count }
    }
  }

  /// Adds a stamp; one without a place gets the next.
  ///
  /// One that was appended twice in a row counts from where it stood first.
  mutating func add(_ stamp: Stamp) {
    var stamp = stamp
    if reaches[stamp.subject]?.lastID == stamp.id { return }
    if stamp.sequence == 0 { stamp.sequence = sequence &+ 1 }
    sequence = max(sequence, stamp.sequence)
    let isNew = reaches[stamp.subject] == nil
    // One set of names too many: what it may reach is out.
    if isNew, stamp.subject.isScoped, !shapes.insert(stamp.subject.scope) {
      floor = max(floor, stamp.sequence)
    }
    if stamp.subject.tags.count > 1, reaches[stamp.subject] == nil {
      if conjunctions[stamp.subject.namespace, default: []].count < Self.mostConjunctions {
        conjunctions[stamp.subject.namespace, default: []].append(stamp.subject.tags)
      } else {
        // Every record is compared with each of them, so there may not be many.
        stamp.subject.tags = [stamp.subject.tags[0]]
      }
    }
    if recent.count >= 2 * Self.mostRecent {
      recent.removeFirst(Self.mostRecent)
      recentBegin = max(recentBegin, (recent.first?.sequence ?? 1) &- 1)
    }
    recent.append(stamp)
    guard stamp.verb != .remove else {
      return reaches[stamp.subject] = .removal(id: stamp.id, sequence: stamp.sequence)
    }
    var stamps = reaches[stamp.subject]?.stamps(on: stamp.subject) ?? []
    Self.add(stamp, to: &stamps)
    reaches[stamp.subject] = .several(stamps)
  }

  private static func add(_ stamp: Stamp, to stamps: inout [Stamp]) {
    guard case .expire(let at, let staleIfError, let keepExpired) = stamp.verb else { return }
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

  /// Notes that a subject of this number was removed at a place in the order.
  mutating func add(number: UInt64, at place: UInt64) {
    sequence = max(sequence, place)
    newestNumber = max(newestNumber, place)
    if place > numbers[number] ?? 0 { numbers[number] = place }
  }

  /// Puts out whatever began before a place in the order.
  mutating func raiseBase(to place: UInt64) {
    sequence = max(sequence, place)
    base = max(base, place)
  }

  /// Counts a stamp that cannot be read and was on something: what it may have reached is out.
  mutating func addDamaged(hadTagOrScope: Bool) {
    sequence &+= 1
    if hadTagOrScope { floor = sequence } else { base = sequence }
  }

  /// The same with at most so many subjects that are known by name, the latest, and so many known by
  /// number.
  func folded(
    to most: Int = DiskLedger.mostNames,
    numbers mostNumbers: Int = DiskLedger.mostNumbers
  ) -> DiskLedger {
    var folded = self
    (folded.recent, folded.recentBegin) = ([], sequence)
    if reaches.count > most {
      // Whole features are few, and no number stands for them; one that stands for several tags together
      // reaches further than they do.
      let severals = reaches.keys.count { $0.tags.count > 1 }
      let sparesSeveral = severals <= min(most / 2, Self.mostRecent)
      let droppable = reaches.filter { subject, _ in
        switch subject.tags.count {
        case 0: subject.isScoped
        case 1: true
        default: !sparesSeveral
        }
      }
      // One scope of every set of names stays known by name, since without it nobody would look for the
      // others' numbers.
      var named = ScopeShapes()
      let oldest = droppable.map { (subject: $0.key, newest: $0.value.newest) }
        .sorted { $0.newest > $1.newest }
        .filter { !$0.subject.isScoped || named.has($0.subject.scope) }
        .reversed().prefix(reaches.count - most)
      for (subject, newest) in oldest {
        folded.add(number: subject.number, at: newest)
        folded.reaches[subject] = nil
        guard subject.tags.count > 1 else { continue }
        folded.conjunctions[subject.namespace]?.removeAll { $0 == subject.tags }
        if folded.conjunctions[subject.namespace]?.isEmpty == true {
          folded.conjunctions[subject.namespace] = nil
        }
      }
    }
    if folded.numbers.count > mostNumbers {
      let places = folded.numbers.values.sorted()
      let last = places[places.count - mostNumbers / 4 * 3 - 1]
      folded.floor = max(folded.floor, last)
      folded.numbers = folded.numbers.filter { $0.value > last }
    }
    return folded
  }

  /// A record as it is after what was invalidated; `nil` when it is out.
  func judged(_ entry: CacheEntry, in namespace: Namespace?) -> CacheEntry? {
    let mark = entry.metadata.loadMark ?? .none
    guard mark.epoch == epoch || (mark.epoch == 0 && admitsUnmarked) else { return nil }
    let begun = mark.epoch == 0 ? 0 : mark.sequence
    guard begun < sequence, let namespace else { return entry }
    if begun < base { return nil }
    let tags = entry.metadata.tags.map(\.description)
    if begun < floor, !tags.isEmpty || !namespace.scope.isEmpty { return nil }
    var judged = entry
    for name in names(of: namespace) {
      var subjects = [Subject(namespace: name)]
      subjects += tags.map { Subject(namespace: name, tags: [$0]) }
      for wanted in conjunctions[name] ?? [] where wanted.allSatisfy(tags.contains) {
        subjects.append(Subject(namespace: name, tags: wanted))
      }
      for subject in subjects {
        if begun < newestNumber, numbers[subject.number] ?? 0 > begun { return nil }
        switch reaches[subject] {
        case nil: continue
        case .removal(_, let sequence): if sequence > begun { return nil }
        case .several(let stamps):
          for stamp in stamps where stamp.sequence > begun {
            guard let kept = stamp.applied(to: judged) else { return nil }
            judged = kept
          }
        }
      }
    }
    return judged
  }

  /// A namespace and those that cover it and may have stamps, as they print: itself, the one without a
  /// scope, and one for each known set of names whose parts it has.
  func names(of namespace: Namespace) -> [String] {
    let own = namespace.description
    guard !namespace.scope.isEmpty else { return [own] }
    return [own, namespace.scoped(.none).description]
      + shapes.enclosing(namespace.scope).map { namespace.scoped($0).description }
  }
}

extension DiskLedger.Subject {
  /// By which number it is known; of several tags only the first counts, which reaches further.
  var number: UInt64 {
    var text = Array(namespace.utf8)
    // No UTF-8 has this byte.
    if let tag = tags.first { text += [0xFF] + Array(tag.utf8) }
    return Checksum.of(text)
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
