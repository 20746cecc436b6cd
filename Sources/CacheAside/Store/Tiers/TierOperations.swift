import Synchronization

// The operations of one tier that have begun and not ended: of asynchronous callers, of synchronous
// ones on their own threads, and those that are queued. Whoever closes the tier refuses new ones and
// waits for these. One task watches the deadlines of all; it runs only while there are any.

/// What is under way in one tier.
final class TierOperations: Sendable {
  private struct State {
    var open: [ObjectIdentifier: TierOperation] = [:]
    var isClosing = false
    var isWatching = false
    /// Those who wait until nothing is open.
    var waiters: [TierPromise<Void>] = []
  }

  private let state = Lock(State())
  private let store: String
  private let time: TimeSource

  /// The shortest of the limits, in nanoseconds: nothing that begins ends earlier.
  private let shortestLimit: Int64

  init(store: String, time: TimeSource, shortestLimit: Int64?) {
    self.store = store
    self.shortestLimit = shortestLimit ?? .max
    self.time = time
  }

  /// How many have begun and not ended.
  var count: Int { state.withLock { $0.open.count } }

  /// Begins an operation.
  ///
  /// - Parameters:
  ///   - kind: what it does.
  ///   - key: the key, or the first of several.
  ///   - count: how many keys.
  ///   - limit: after how many nanoseconds it is given up; `nil` for never.
  /// - Throws: `CacheError` with the code `closed` once the tier is being closed.
  func begin(
    _ kind: TierOperation.Kind,
    _ key: CacheKey? = nil,
    count: Int = 1,
    within limit: Int64? = nil
  ) throws -> TierOperation {
    let deadline = limit.map { Lifetime.sum(time.precise, $0) }
    let operation = TierOperation(kind, key, count: count, deadline: deadline)
    let begun: (isOpen: Bool, watches: Bool) = state.withLock { state in
      if state.isClosing { return (false, false) }
      state.open[ObjectIdentifier(operation)] = operation
      guard deadline != nil, !state.isWatching else { return (true, false) }
      state.isWatching = true
      return (true, true)
    }
    guard begun.isOpen else { throw closedError(key) }
    if begun.watches { watch() }
    return operation
  }

  /// Ends a part of an operation.
  func end(_ operation: TierOperation) {
    guard operation.endPart() else { return }
    let waiters: [TierPromise<Void>] = state.withLock { state in
      state.open[ObjectIdentifier(operation)] = nil
      guard state.open.isEmpty else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.finish(.success(())) }
  }

  /// Whether new ones are refused.
  var isClosing: Bool { state.withLock { $0.isClosing } }

  /// Refuses every operation from now on.
  func beginClosing() { state.withLock { $0.isClosing = true } }

  /// Refuses new operations and waits until those that have begun have ended.
  ///
  /// - Parameter limit: after how many nanoseconds they are given up, which cancels calls of a store
  ///   that suspends; `nil` for never.
  /// - Returns: what had not ended by then.
  func finish(within limit: Int64?) async -> [String] {
    beginClosing()
    let timer = limit.map { limit in
      time.startTask(inheritsContext: false) { [self, time] in
        do { try await time.sleep(nanoseconds: limit) } catch { return }
        stopWaiting()
      }
    }
    try? await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      let promise = TierPromise(continuation)
      let isDone = state.withLock { state in
        if state.open.isEmpty { return true }
        state.waiters.append(promise)
        return false
      }
      if isDone { promise.finish(.success(())) }
    }
    timer?.cancel()
    let left = state.withLock { Array($0.open.values) }
    for operation in left { operation.giveUp(closedError(operation.key)) }
    return left.map { $0.description(of: store) }.sorted()
  }

  private func stopWaiting() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.finish(.success(())) }
  }

  private func closedError(_ key: CacheKey?) -> CacheError {
    CacheError(.closed, "the cache was closed, and its store \"\(store)\" with it", key: key)
  }

  // MARK: Deadlines

  /// Gives up what is past its deadline, until nothing with a deadline is open.
  ///
  /// What begins during a sleep ends after it, since no sleep is longer than the shortest limit.
  private func watch() {
    time.startTask(inheritsContext: false) { [self, time] in
      while let deadline = nextDeadline() {
        let wake = min(deadline, Lifetime.sum(time.precise, shortestLimit))
        do { try await time.sleep(untilNanoseconds: wake) } catch { return }
        giveUpLate()
      }
    }
  }

  private func nextDeadline() -> Int64? {
    state.withLock { state in
      let next = state.open.values.lazy.filter { $0.failure == nil }.compactMap(\.deadline).min()
      if next == nil { state.isWatching = false }
      return next
    }
  }

  private func giveUpLate() {
    let now = time.precise
    let late = state.withLock { state in
      state.open.values.filter { ($0.deadline ?? .max) <= now && $0.failure == nil }
    }
    for operation in late {
      operation.giveUp(
        CacheError(
          .timedOut,
          "the store \"\(store)\" did not answer within its deadline",
          key: operation.key
        )
      )
    }
  }
}
