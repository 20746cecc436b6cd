import Foundation

// What one writes by hand, or takes from the system, where we say `cache[key]`.
//
// `@unchecked Sendable`: `LockAndDictionary` reaches its dictionary under its lock only, and
// `NSCache` is safe to use from any thread, as its documentation says.

final class LockAndDictionary<Key: Hashable & Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Key: Int] = [:]

  init(_ keys: [Key]) { for (place, key) in keys.enumerated() { values[key] = place } }

  @inline(__always)
  func value(_ key: Key) -> Int? {
    lock.lock()
    defer { lock.unlock() }
    return values[key]
  }
}

actor ActorAndDictionary<Key: Hashable & Sendable> {
  private var values: [Key: Int] = [:]

  init(_ keys: [Key]) { for (place, key) in keys.enumerated() { values[key] = place } }

  func value(_ key: Key) -> Int? { values[key] }
}

/// The memoizer that comes to mind first: an actor with a dictionary of tasks.
actor ActorAndTasks<Key: Hashable & Sendable> {
  private var tasks: [Key: Task<Int, any Error>] = [:]

  func value(
    _ key: Key,
    _ make: @escaping @Sendable (Key) async throws -> Int
  ) async throws -> Int {
    if let task = tasks[key] { return try await task.value }
    let task = Task { try await make(key) }
    tasks[key] = task
    return try await task.value
  }
}

final class SystemCache<Key: Hashable & Sendable>: @unchecked Sendable {
  private final class BoxedKey: NSObject {
    let key: Key

    init(_ key: Key) { self.key = key }

    override var hash: Int { key.hashValue }
    override func isEqual(_ other: Any?) -> Bool { (other as? BoxedKey)?.key == key }
  }

  private final class BoxedValue: NSObject {
    let value: Int

    init(_ value: Int) { self.value = value }
  }

  private let cache = NSCache<BoxedKey, BoxedValue>()

  init(_ keys: [Key]) {
    for (place, key) in keys.enumerated() {
      cache.setObject(BoxedValue(place), forKey: BoxedKey(key))
    }
  }

  func value(_ key: Key) -> Int? { cache.object(forKey: BoxedKey(key))?.value }
}
