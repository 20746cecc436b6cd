/// A bounded cache as one writes it without a library: a dictionary in a lock, and a ring of its
/// keys that says which is the oldest.
final class RingDictionary: Sendable {
  private struct State {
    var values: [Int: Int] = [:]
    var ring: [Int] = []
    var oldest = 0
  }

  private let capacity: Int
  private let state: LockedValue<State>

  init(capacity: Int) {
    self.capacity = capacity
    var state = State()
    state.values.reserveCapacity(capacity)
    state.ring.reserveCapacity(capacity)
    self.state = LockedValue(state)
  }

  @inline(__always)
  subscript(key: Int) -> Int? { state.with { $0.values[key] } }

  /// Stores a value under a key that is not there yet.
  func insert(_ value: Int, for key: Int) {
    state.with { state in
      if state.ring.count < capacity {
        state.ring.append(key)
      } else {
        state.values[state.ring[state.oldest]] = nil
        state.ring[state.oldest] = key
        state.oldest = state.oldest + 1 == capacity ? 0 : state.oldest + 1
      }
      state.values[key] = value
    }
  }
}
