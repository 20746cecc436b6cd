import Synchronization

// Keeps readers of slower tiers from storing an old value behind a change.
//
// A change (a write, a removal, the storing of a load) goes through the tiers one by one. Whoever
// registers while it does may still read the old value from a tier that the change has not reached,
// and must not put it into one that the change has passed. So a change raises a barrier on the key
// before it marks the registrations that exist, and lets it down after it has marked those that came
// in between. Behind a barrier nobody stores but the change itself and explicit writes.

/// The changes that are going on in a feature with slower tiers, by key.
final class WriteBarriers: Sendable {
  private struct State {
    var keys: [CacheKey: Int] = [:]
    var all = 0
  }

  private let state = Lock(State())
  /// How many are up, so that an idle feature takes no lock.
  private let count = Atomic<Int>(0)

  /// Raises a barrier on a key.
  func raise(_ key: CacheKey) {
    count.add(1, ordering: .sequentiallyConsistent)
    state.withLock { $0.keys[key, default: 0] += 1 }
  }

  /// Lets a key's barrier down.
  func lower(_ key: CacheKey) {
    state.withLock { state in
      let rest = (state.keys[key] ?? 1) - 1
      state.keys[key] = rest == 0 ? nil : rest
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

  /// Whether a change other than one's own is going on for a key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - own: how many barriers on it are one's own.
  /// - Returns: whether to store nothing.
  func stop(_ key: CacheKey, own: Int) -> Bool {
    guard count.load(ordering: .sequentiallyConsistent) > own else { return false }
    return state.withLock { ($0.keys[key] ?? 0) + $0.all > own }
  }
}
