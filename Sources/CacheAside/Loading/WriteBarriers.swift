import Synchronization

// Keeps readers of slower tiers from storing an old value behind a change.
//
// A change (a write, a removal, the storing of a load) goes through the tiers one by one. Whoever
// registers while it does may still read the old value from a tier that the change has not reached,
// and must not put it into one that the change has passed. So a change raises a barrier on the key
// before it marks the registrations that exist, and lets it down after it has marked those that came
// in between. Behind the barrier of an explicit write or removal nobody stores but explicit writes.
// The storing of a load stops promotions only: which of two loads may store is decided by their
// registrations, and one that is superseded must not hold up the one that took its place.

/// The changes that are going on in a feature with slower tiers, by key.
final class WriteBarriers: Sendable {
  /// Who puts something into the tiers.
  enum Storer: Sendable {
    /// A read that puts what it found in a slower tier into the faster ones.
    case promotion
    /// A load that stores what its producer made.
    case load
    /// A write of a caller's value; its barrier and that of a removal stop loads, too.
    case explicitWrite
  }

  private struct Barriers {
    var loads = 0
    var explicit = 0

    var isEmpty: Bool { loads == 0 && explicit == 0 }

    mutating func add(_ change: Int, _ storer: Storer) {
      if storer == .explicitWrite { explicit += change } else { loads += change }
    }
  }

  private struct State {
    var keys: [CacheKey: Barriers] = [:]
    var all = 0
  }

  private let state = Lock(State())
  /// How many are up, so that an idle feature takes no lock.
  private let count = Atomic<Int>(0)

  /// Raises a barrier on a key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - storer: who changes it; a removal counts as an explicit write.
  func raise(_ key: CacheKey, _ storer: Storer = .explicitWrite) {
    count.add(1, ordering: .sequentiallyConsistent)
    state.withLock { $0.keys[key, default: Barriers()].add(1, storer) }
  }

  /// Lets a key's barrier down, as it was raised.
  func lower(_ key: CacheKey, _ storer: Storer = .explicitWrite) {
    state.withLock { state in
      state.keys[key]?.add(-1, storer)
      if state.keys[key]?.isEmpty == true { state.keys[key] = nil }
    }
    count.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Raises a barrier on every key.
  func raiseAll() {
    count.add(1, ordering: .sequentiallyConsistent)
    state.withLock { $0.all += 1 }
  }

  /// Lets the barrier on every key down.
  func lowerAll() {
    state.withLock { $0.all -= 1 }
    count.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Whether a change that is going on keeps somebody from storing a key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - storer: who wants to store; an explicit write is never stopped.
  /// - Returns: whether it must not.
  func stop(_ key: CacheKey, _ storer: Storer) -> Bool {
    guard storer != .explicitWrite, count.load(ordering: .sequentiallyConsistent) > 0 else {
      return false
    }
    return state.withLock { state in
      if state.all > 0 { return true }
      guard let barriers = state.keys[key] else { return false }
      return barriers.explicit > 0 || storer == .promotion
    }
  }
}
