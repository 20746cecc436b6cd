import Synchronization

/// A value in a lock, to be shared by threads and tasks: the baseline of most rows.
final class LockedValue<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  @inline(__always)
  func with<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { body(&$0) }
  }
}

/// What one writes without a library: `Mutex<Dictionary>`.
typealias LockedDictionary<Key: Hashable & Sendable> = LockedValue<[Key: Int]>

extension LockedValue {
  /// A dictionary that finds each key's place in a list.
  convenience init<Key>(places keys: [Key]) where Value == [Key: Int] {
    self.init([:])
    for (place, key) in keys.enumerated() { with { $0[key] = place } }
  }

  @inline(__always)
  subscript<Key>(key: Key) -> Int? where Value == [Key: Int] { with { $0[key] } }
}
