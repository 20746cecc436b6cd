import Synchronization

// Which keys' producers rest after a failed load. Beside the memory table, since the stale value may be
// in a slower store only. Bounded: when it is full, the rest that ends first leaves for a new one, be it
// over or not, so that a source may be asked too early, never too late.
//
// Invariant: every rest of the dictionary lies in the heap, and no other. Called by `Cache`, partly under
// the lock of a stripe of its flight table; under this lock no other is taken.

/// The rests of one table's producers.
final class FailureRests<Key: Hashable & Sendable>: Sendable {
  /// A rest, with the user's key, so that it has to be released outside every lock.
  final class Rest: Sendable {
    let key: HashedKey<Key>
    let moment: Int64
    /// Where it lies in the heap; written and read under the lock.
    fileprivate let position = Atomic<Int>(-1)

    fileprivate init(_ key: HashedKey<Key>, _ moment: Int64) {
      self.key = key
      self.moment = moment
    }
  }

  private struct Place: HeapElement {
    let rest: Rest
    /// Which of equal ones came first.
    let order: UInt64

    func isBefore(_ other: Place) -> Bool {
      (rest.moment, order) < (other.rest.moment, other.order)
    }

    func lies(at index: Int?) { rest.position.store(index ?? -1, ordering: .relaxed) }
  }

  private struct State {
    var rests: [HashedKey<Key>: Rest] = [:]
    var heap = IndexedHeap<Place>()
    var lastOrder: UInt64 = 0

    mutating func remove(_ key: HashedKey<Key>) -> Rest? {
      // The rest holds the key that the dictionary lets go.
      guard let rest = rests.removeValue(forKey: key) else { return nil }
      _ = heap.remove(at: rest.position.load(ordering: .relaxed))
      return rest
    }
  }

  private let state = Lock(State())
  /// How many there are, so that a table without failures takes no lock.
  private let count = Atomic<Int>(0)
  private let limit: Int

  init(limit: Int = 10_000) { self.limit = limit }

  /// Whether no producer rests; for checks.
  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// Lets a producer rest until a moment.
  ///
  /// - Returns: what had to go for it, to be released outside every lock.
  /// - Complexity: O(log n) in the rests.
  func begin(_ key: HashedKey<Key>, until moment: Int64) -> [Rest] {
    let new = Rest(key, moment)
    return change { state in
      var dropped: [Rest] = []
      if let older = state.remove(key) {
        dropped.append(older)
      } else if state.rests.count >= limit, let first = state.heap.first?.rest.key {
        if let gone = state.remove(first) { dropped.append(gone) }
      }
      guard state.rests.count < limit else { return dropped }
      state.rests[key] = new
      state.lastOrder += 1
      state.heap.add(Place(rest: new, order: state.lastOrder))
      return dropped
    }
  }

  /// Ends a rest: the key was loaded, written, removed or expired.
  ///
  /// - Complexity: O(log n) in the rests.
  func end(_ key: HashedKey<Key>) {
    guard count.load(ordering: .acquiring) > 0 else { return }
    _ = change { state in state.remove(key).map { [$0] } ?? [] }
  }

  /// Ends all rests.
  func endAll() {
    guard count.load(ordering: .acquiring) > 0 else { return }
    _ = change { state in
      defer { (state.rests, state.heap) = ([:], IndexedHeap()) }
      return Array(state.rests.values)
    }
  }

  /// Whether the producer of a key rests.
  func covers(_ key: HashedKey<Key>, now: Int64) -> Bool { end(of: key).map { now < $0 } ?? false }

  /// Until when the producer of a key rests; `nil` if it does not.
  func end(of key: HashedKey<Key>) -> Int64? {
    guard count.load(ordering: .acquiring) > 0 else { return nil }
    return state.withLock { $0.rests[key]?.moment }
  }

  /// The keys of the producers that rest, or did.
  var keys: [HashedKey<Key>] {
    guard count.load(ordering: .acquiring) > 0 else { return [] }
    return state.withLock { Array($0.rests.keys) }
  }

  /// Whether the producer of a key rests, or did.
  func holds(_ key: HashedKey<Key>) -> Bool { end(of: key) != nil }

  private func change(_ body: (inout State) -> [Rest]) -> [Rest] {
    state.withLock { state in
      let dropped = body(&state)
      count.store(state.rests.count, ordering: .releasing)
      return dropped
    }
  }
}
