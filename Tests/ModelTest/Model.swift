// What a cache must hold: a dictionary with times, and for each place what it may contain.
//
// Mostly that is one entry, or none. It is several after a failure that leaves it open what a store
// has: then each of them is right, until the next write. What a removal or write that failed may have
// left in a store is a ghost: it is never returned while these caches live, since a tombstone hides
// it, but may come back with caches that know nothing of it.
struct Model {
  /// Something that was stored.
  struct Entry: Equatable {
    var value: Int
    /// Quarters of a second; `Int.max` for ever.
    var freshUntil: Int
    var tags: Set<Int>
    /// Whether it was expired by hand, so that only a failing load may still return it.
    var isExpiredByHand = false
  }

  /// A load whose producer is held.
  struct Pending {
    enum Fate { case stored, dropped, either }

    let place: Place
    let entry: Entry
    let ttl: Int
    let instance: Int
    /// Whether nobody waits for it.
    let isBackground: Bool
    var fate = Fate.stored
    /// Whether later calls of its instance would wait for it; what others have invalidated they hear
    /// of later.
    var isOpen = true
  }

  let setup: Setup
  /// Quarters of a second.
  private(set) var now = 0
  private var states: [Place: [Entry?]] = [:]
  private var ghosts: [Place: [Entry]] = [:]
  var pendings: [Pending] = []
  /// When a removal of many failed: it hides what was stored up to that microsecond, and here
  /// whole steps take none.
  var blurredAt: Int?
  /// What synchronous calls wrote and a store that suspends does not have yet.
  var queued: Set<Place> = []

  init(_ setup: Setup) { self.setup = setup }

  static func freshUntil(_ ttl: Int, from now: Int) -> Int { ttl == 0 ? .max : now + 4 * ttl }

  private func states(_ place: Place) -> [Entry?] { states[place] ?? [nil] }

  // MARK: What may be returned

  private func isFresh(_ entry: Entry) -> Bool { now < entry.freshUntil }

  private func isStale(_ entry: Entry) -> Bool {
    guard !isFresh(entry), setup.hasWindows else { return false }
    let revalidate = entry.isExpiredByHand ? 0 : 4 * setup.staleWhileRevalidate
    return now < entry.freshUntil + max(revalidate, 4 * setup.staleIfError)
  }

  private func helpsFailing(_ entry: Entry) -> Bool {
    isFresh(entry) || now < entry.freshUntil + 4 * setup.staleIfError
  }

  /// What a read of fresh values may return.
  func fresh(_ place: Place) -> Set<Int?> {
    var values = Set(states(place).map { $0.flatMap { isFresh($0) ? $0.value : nil } })
    if setup.mayLose || queued.contains(place) { values.insert(nil) }
    return values
  }

  /// What a read of any age may return.
  func anyAge(_ place: Place) -> Set<Int?> {
    var values = fresh(place)
    for case let entry? in states(place) where !isFresh(entry) { values.insert(entry.value) }
    return values
  }

  /// What a load may return without its producer.
  func cached(_ place: Place) -> Set<Int> {
    Set(states(place).compactMap { $0 }.filter { isFresh($0) || isStale($0) }.map(\.value))
  }

  /// Whether a load may find nothing fresh.
  func mayMiss(_ place: Place) -> Bool { fresh(place).contains(nil) }

  /// Whether a load that fails must be answered all the same.
  func mustHelp(_ place: Place) -> Bool {
    !setup.mayLose && !queued.contains(place)
      && states(place).allSatisfy { $0.map { helpsFailing($0) } ?? false }
  }

  // MARK: What changes

  /// Something was stored; a store may not have it after a failure.
  mutating func store(_ entry: Entry, _ place: Place, mayFail: Bool) {
    let older = states(place).compactMap { $0 }
    states[place] = mayFail || blurredAt == now ? [entry, nil] : [entry]
    // Another process knows nothing of the tombstone.
    if mayFail, setup.instances > 1 { states[place] = [entry, nil] + older }
    if mayFail { ghosts[place, default: []] += older } else { ghosts[place] = nil }
  }

  /// It is open whether something was stored.
  mutating func mayStore(_ entry: Entry, _ place: Place) {
    states[place] = states(place) + [entry, nil]
  }

  /// What is selected is gone; a store may still have it after a failure.
  mutating func remove(mayFail: Bool, where isSelected: (Place, Entry) -> Bool) {
    for (place, entries) in states {
      states[place] = entries.flatMap { entry -> [Entry?] in
        guard let entry, isSelected(place, entry) else { return [entry] }
        if mayFail { ghosts[place, default: []].append(entry) }
        return mayFail && setup.instances > 1 ? [entry, nil] : [nil]
      }
    }
    guard !mayFail else { return }
    for (place, entries) in ghosts { ghosts[place] = entries.filter { !isSelected(place, $0) } }
  }

  /// What is selected is expired from now on.
  mutating func expire(mayFail: Bool, where isSelected: (Place, Entry) -> Bool) {
    for (place, entries) in states {
      states[place] = entries.flatMap { entry -> [Entry?] in
        guard let entry, isSelected(place, entry) else { return [entry] }
        var expired = entry
        expired.freshUntil = min(entry.freshUntil, now)
        expired.isExpiredByHand = true
        if mayFail { ghosts[place, default: []].append(entry) }
        if mayFail, setup.instances > 1 { return [expired, entry, nil] }
        return mayFail ? [expired, nil] : [expired]
      }
    }
  }

  /// It is open whether anything is still returned.
  mutating func mayLoseAll() {
    for (place, entries) in states where !entries.contains(nil) { states[place] = entries + [nil] }
  }

  /// What is expired is gone, also what a window or `keepExpired` would keep.
  mutating func removeExpired(mayFail: Bool) {
    for (place, entries) in states {
      states[place] = entries.flatMap { entry -> [Entry?] in
        guard let entry, !isFresh(entry) else { return [entry] }
        return mayFail ? [entry, nil] : [nil]
      }
    }
  }

  /// Memory is empty.
  mutating func dropMemory() {
    if setup.tiers.isEmpty { states = [:] }
  }

  /// Caches that know nothing of earlier failures see what the stores have.
  mutating func reopen() {
    dropMemory()
    for (place, entries) in ghosts { states[place] = states(place) + entries }
    ghosts = [:]
    for index in pendings.indices {
      pendings[index].fate = .dropped
      pendings[index].isOpen = false
    }
  }

  mutating func advance(_ quarters: Int) { now += quarters }

  // MARK: Loads under way

  /// A verb about one key, by one of the instances.
  mutating func close(_ place: Place, by instance: Int) {
    for index in pendings.indices where pendings[index].place == place {
      let isOwn = pendings[index].instance == instance
      if isOwn { pendings[index].isOpen = false }
      if pendings[index].fate != .dropped { pendings[index].fate = isOwn ? .dropped : .either }
    }
  }

  /// A verb that may have changed nothing.
  mutating func mayClose(_ place: Place) {
    for index in pendings.indices where pendings[index].place == place {
      if pendings[index].fate == .stored { pendings[index].fate = .either }
    }
  }

  /// A verb about many keys.
  mutating func close(by instance: Int, reachesOthers: Bool, _ isSelected: (Place, Entry) -> Bool) {
    for index in pendings.indices where isSelected(pendings[index].place, pendings[index].entry) {
      let isOwn = pendings[index].instance == instance
      if isOwn { pendings[index].isOpen = false }
      let isReached = isOwn || reachesOthers
      if pendings[index].fate != .dropped { pendings[index].fate = isReached ? .dropped : .either }
    }
  }

  /// Whether a call for the place would wait for a load that is held, or may.
  func isHeld(_ place: Place) -> Bool {
    pendings.contains { $0.place == place && $0.isOpen }
  }

  /// Text for a message.
  func text(_ place: Place) -> String {
    let states = states(place).map { entry in
      entry.map { "\($0.value) until \($0.freshUntil == .max ? "ever" : "\($0.freshUntil)")" }
        ?? "nothing"
    }
    return "\(place) has \(states.joined(separator: " or ")) at \(now)"
  }
}
