// Which keys of a table keyed by arguments print as a key of the feature: an index by the digest of
// what they print as, so that removal by a printed key need not derive that of every entry.
//
// Invariant: what is registered in the flight table, is in memory or backs off was noted here before
// it could be looked up: whoever registers notes the key before it reads or stores anything. Whoever
// looks a key up under a digest derives it again and compares. Nothing is taken out when an entry
// leaves memory, where no user code may run: once a half more was noted than is of use, those that
// nothing holds any more go. A key is of use while its registration, entry, back-off or remembered
// error is there, asked in that order, as it moves from the first to the next.
//
// Made with the table where there are slower stores, and by the first look-up where there are none
// (`Cache+Index`). Locks: that of a part, then that of a stripe or of a shard; nothing is noted under
// those. Keys are compared under a part's lock, and hashed and released outside it.

import Synchronization

/// An index from the digests of printed keys to the keys of a table.
final class KeyIndex<Key: Hashable & Sendable>: Sendable {
  private struct Part: Sendable {
    /// The first key of each digest, and the others of those that have several.
    var first: [UInt64: Key] = [:]
    var others: [UInt64: [Key]] = [:]
    var count = 0
    /// How many keys there are before those that nothing holds go.
    var limit = 64
    var isBeingCleaned = false

    /// Adds a key; tells whether it is time to clean.
    mutating func add(_ key: Key, _ digest: UInt64) -> Bool {
      if let present = first[digest] {
        if present == key || others[digest]?.contains(key) == true { return false }
        others[digest, default: []].append(key)
      } else {
        first[digest] = key
      }
      count += 1
      if count <= limit || isBeingCleaned { return false }
      isBeingCleaned = true
      return true
    }

    /// Takes a key out, and returns what may be the last references to it.
    mutating func remove(_ key: Key, _ digest: UInt64) -> [Key] {
      if first[digest] == key {
        count -= 1
        let next = others[digest]?.popLast()
        if others[digest]?.isEmpty == true { others[digest] = nil }
        let old = first[digest]
        first[digest] = next
        return old.map { [$0] } ?? []
      }
      guard let index = others[digest]?.firstIndex(of: key) else { return [] }
      count -= 1
      let old = others[digest]?.remove(at: index)
      if others[digest]?.isEmpty == true { others[digest] = nil }
      return old.map { [$0] } ?? []
    }

    var all: [(digest: UInt64, key: Key)] {
      first.map { ($0.key, $0.value) }
        + others.flatMap { digest, keys in keys.map { (digest, $0) } }
    }
  }

  private final class Parts: Sendable {
    let lock = Lock(Part())
  }

  private static var partCount: Int { 8 }

  private let parts = (0..<KeyIndex.partCount).map { _ in Parts() }
  private let seed: SipHash.Key
  private let derive: @Sendable (Key) -> CacheKey
  private let hash: @Sendable (Key) -> UInt64
  /// Whether something of the table holds a key; must not run a user's code but `==` of keys.
  private let isHeld: @Sendable (HashedKey<Key>) -> Bool
  private let state = Atomic<Int>(0)

  /// Makes an empty index.
  ///
  /// - Parameters:
  ///   - seed: of its digests.
  ///   - derive: gives what a key prints as.
  ///   - hash: gives the hash of a key.
  ///   - isHeld: whether something of the table holds a key.
  init(
    seed: UInt64,
    derive: @escaping @Sendable (Key) -> CacheKey,
    hash: @escaping @Sendable (Key) -> UInt64,
    isHeld: @escaping @Sendable (HashedKey<Key>) -> Bool
  ) {
    self.seed = SipHash.Key(seed: seed)
    self.derive = derive
    self.hash = hash
    self.isHeld = isHeld
  }

  /// Whether it knows every key that the table holds.
  var isComplete: Bool { state.load(ordering: .acquiring) == 2 }

  /// Whether the caller is the one to note what the table held before.
  func beginFilling() -> Bool {
    state.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
  }

  /// Says that every key that the table holds was noted.
  func endFilling() { state.store(2, ordering: .releasing) }

  /// How many keys it knows; for checks.
  var count: Int { parts.reduce(0) { $0 + $1.lock.withLock { $0.count } } }

  /// Notes a key; called outside every lock, before anything is read or stored for it.
  func note(_ key: Key) {
    WorkLog.count(.derivedKey)
    let digest = derive(key).hash(seed)
    let part = part(digest)
    if part.lock.withLock({ $0.add(key, digest) }) { clean(part) }
  }

  /// The keys that print as a key without a namespace.
  ///
  /// - Complexity: O(1).
  func keys(printedAs key: CacheKey) -> [Key] {
    let digest = key.hash(seed)
    let found = part(digest).lock.withLock { part in
      part.first[digest].map { [$0] + (part.others[digest] ?? []) } ?? []
    }
    WorkLog.count(.entry, found.count)
    return found.filter {
      WorkLog.count(.derivedKey)
      return derive($0) == key
    }
  }

  /// Takes out what nothing holds any more, after many have gone.
  func cleanAll() { for part in parts { clean(part) } }

  private func part(_ digest: UInt64) -> Parts {
    parts[Int(truncatingIfNeeded: digest &>> 61)]
  }

  private func clean(_ part: Parts) {
    let known = part.lock.withLock { $0.all }
    let unheld = known.compactMap { digest, key -> (UInt64, HashedKey<Key>)? in
      let key = HashedKey(key: key, hash: hash(key))
      return isHeld(key) ? nil : (digest, key)
    }
    // Again under the lock: who has registered such a key since finds it noted, or notes it after.
    let dropped = part.lock.withLock { part -> [Key] in
      var dropped: [Key] = []
      for (digest, key) in unheld where !isHeld(key) {
        dropped += part.remove(key.key, digest)
      }
      part.limit = max(64, part.count + part.count / 2)
      part.isBeingCleaned = false
      // Dictionaries keep their room; after many have gone it is given back.
      if part.first.capacity > 4 * max(64, part.first.count) {
        part.first = part.first.filter { _ in true }
      }
      return dropped
    }
    // Released outside the lock.
    _ = (known, dropped)
  }
}
