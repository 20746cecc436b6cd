// What a store says it does not keep, because it is too large, while a write is going on: under the
// fault policy `.fail` that fails the write. A store reports on the thread it was called on, or in its
// task, so a task-local finds the write that a report belongs to.

import Synchronization

/// The keys that a write's store has rejected.
final class RejectedWrites: Sendable {
  @TaskLocal private static var current: RejectedWrites?

  private let keys = Lock<Set<CacheKey>>([])

  private init() {}

  /// Notes a key for the write that is going on, if its tier asks.
  static func note(_ key: CacheKey) {
    guard let current else { return }
    _ = current.keys.withLock { $0.insert(key) }
  }

  func contains(_ key: CacheKey) -> Bool { keys.withLock { $0.contains(key) } }

  /// Runs a write and gives it what its store has rejected so far.
  static func collect<Result>(_ body: (RejectedWrites) throws -> Result) rethrows -> Result {
    let collected = RejectedWrites()
    return try $current.withValue(collected) { try body(collected) }
  }

  /// The same for a store that suspends.
  static func collect<Result>(
    _ body: (RejectedWrites) async throws -> Result
  ) async rethrows -> Result {
    let collected = RejectedWrites()
    return try await $current.withValue(collected) { try await body(collected) }
  }
}
