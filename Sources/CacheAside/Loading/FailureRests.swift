import Synchronization

// Which keys' producers rest after a failed load. Beside the memory table, since the stale value may be
// in a slower store only. Bounded: when it is full, rests that are over leave, and if none is, all do,
// so that a source may be asked too early, never too late.

/// The rests of one table's producers.
final class FailureRests<Key: Hashable & Sendable>: Sendable {
  private let rests = Lock<[HashedKey<Key>: Int64]>([:])
  /// How many there are, so that a table without failures takes no lock.
  private let count = Atomic<Int>(0)
  private let limit: Int

  init(limit: Int = 10_000) { self.limit = limit }

  /// Rests that are over, to be released outside every lock: keys are a user's.
  typealias Dropped = [HashedKey<Key>: Int64]

  /// Whether no producer rests; for checks.
  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// Lets a producer rest until a moment.
  ///
  /// - Returns: what had to go for it.
  func begin(_ key: HashedKey<Key>, until moment: Int64, now: Int64) -> Dropped {
    change { rests in
      var dropped: Dropped = [:]
      if rests.count >= limit && rests[key] == nil {
        dropped = rests
        rests = rests.filter { $0.value > now }
        if rests.count >= limit { rests = [:] }
      }
      rests[key] = moment
      return dropped
    }
  }

  /// Ends a rest: the key was loaded, written, removed or expired.
  func end(_ key: HashedKey<Key>) {
    guard count.load(ordering: .acquiring) > 0 else { return }
    _ = change { rests in
      guard let index = rests.index(forKey: key) else { return [:] }
      let (key, moment) = rests.remove(at: index)
      return [key: moment]
    }
  }

  /// Ends all rests.
  func endAll() {
    guard count.load(ordering: .acquiring) > 0 else { return }
    _ = change { rests in
      defer { rests = [:] }
      return rests
    }
  }

  /// Whether the producer of a key rests.
  func covers(_ key: HashedKey<Key>, now: Int64) -> Bool {
    guard count.load(ordering: .acquiring) > 0 else { return false }
    return rests.withLock { $0[key].map { now < $0 } ?? false }
  }

  /// Until when the producer of a key rests; `nil` if it does not.
  func end(of key: HashedKey<Key>) -> Int64? {
    guard count.load(ordering: .acquiring) > 0 else { return nil }
    return rests.withLock { $0[key] }
  }

  /// The keys of the producers that rest, or did.
  var keys: [HashedKey<Key>] {
    guard count.load(ordering: .acquiring) > 0 else { return [] }
    return rests.withLock { Array($0.keys) }
  }

  /// Whether the producer of a key rests, or did.
  func holds(_ key: HashedKey<Key>) -> Bool { end(of: key) != nil }

  private func change(_ body: (inout [HashedKey<Key>: Int64]) -> Dropped) -> Dropped {
    rests.withLock { rests in
      let dropped = body(&rests)
      count.store(rests.count, ordering: .releasing)
      return dropped
    }
  }
}
