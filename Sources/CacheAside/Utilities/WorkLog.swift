import Synchronization

// Counts work, so that a test can assert how it grows with its input instead of timing it.
//
// Counted in debug builds only, into the log that is bound to the task; release builds contain
// nothing of it. Invariant: a count follows the task-locals, so work of a load that inherits none
// (a background load) is counted nowhere.

/// What has been done while a test was recording.
final class WorkLog: Sendable {
  /// Kinds of work.
  enum Work: Int, CaseIterable, Sendable {
    /// A lock that was taken.
    case lock
    /// An entry, or a slot of a table or queue, that was looked at or moved.
    case entry
    /// A table of a feature that was looked at.
    case table
    /// A key that was derived from arguments.
    case derivedKey
    /// A call of a store.
    case storeCall
    /// A waiter, flight, batch or registration that was looked at.
    case waiter
    /// A timer or sleeping task that was started.
    case timer
  }

  private let counts = Lock([Int](repeating: 0, count: Work.allCases.count))

  /// How often something was done.
  subscript(work: Work) -> Int { counts.withLock { $0[work.rawValue] } }

  #if DEBUG
  @TaskLocal private static var current: WorkLog?

  /// Counts work into the log that is bound, if one is.
  static func count(_ work: Work, _ amount: Int = 1) {
    current?.counts.withLock { $0[work.rawValue] += amount }
  }

  /// Runs a function and returns what it, and the tasks that inherit from it, have done.
  static func recording(
    _ body: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> WorkLog {
    let log = WorkLog()
    try await $current.withValue(log) { try await body() }
    return log
  }
  #else
  @inline(__always) static func count(_ work: Work, _ amount: Int = 1) {}
  #endif
}
