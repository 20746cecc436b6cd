import Synchronization

// The operations of one tier that have begun and not ended: of asynchronous callers, of synchronous
// ones on their own threads, and those that are queued. Whoever closes the tier refuses new ones and
// waits for these.

/// What is under way in one tier.
final class TierOperations: Sendable {
  private struct State {
    var open: [ObjectIdentifier: TierOperation] = [:]
    var isClosing = false
    /// Those of the open ones that were given up at their deadline.
    var late: Set<ObjectIdentifier> = []
    /// Whether the time is over that somebody would wait for them.
    var isGivenUp = false
    /// Those who wait until nothing is open.
    var waiters: [TierPromise<Void>] = []
  }

  private let state = Lock(State())
  private let store: String
  private let time: TimeSource

  init(store: String, time: TimeSource) {
    self.store = store
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
  ///   - limit: after how many nanoseconds it is given up; `nil` for never, or to be set later.
  /// - Returns: the operation, to be ended.
  /// - Throws: `CacheError` with the code `closed` once the tier is being closed, and `storeFailed`
  ///   while too many calls that were given up have not ended.
  func begin(
    _ kind: TierOperation.Kind,
    _ key: CacheKey? = nil,
    count: Int = 1,
    within limit: Int64? = nil
  ) throws -> TierOperation {
    let operation = TierOperation(kind, key, count: count)
    let (isClosing, late) = state.withLock { state in
      if !state.isClosing && state.late.count < Self.lateLimit {
        state.open[ObjectIdentifier(operation)] = operation
      }
      return (state.isClosing, state.late.count)
    }
    if isClosing { throw closedError(key) }
    if late >= Self.lateLimit {
      let message = "\(late) calls of the store \"\(store)\" have not ended since their deadlines"
      throw CacheError(.storeFailed, message, key: key)
    }
    if let limit { setLimit(limit, of: operation) }
    return operation
  }

  /// How many calls that were given up may go on at once.
  private static let lateLimit = 1_024

  /// Ends a part of an operation.
  func end(_ operation: TierOperation) {
    guard operation.endPart() else { return }
    operation.deadline?.cancel()
    let waiters: [TierPromise<Void>] = state.withLock { state in
      state.open[ObjectIdentifier(operation)] = nil
      state.late.remove(ObjectIdentifier(operation))
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
        if state.open.isEmpty || state.isGivenUp { return true }
        state.waiters.append(promise)
        return false
      }
      if isDone { promise.finish(.success(())) }
    }
    timer?.cancel()
    let left = state.withLock { Array($0.open.values) }
    // All are over before the first of them makes way for another.
    for operation in left { operation.fail(closedError(operation.key)) }
    for operation in left { operation.giveUp(closedError(operation.key)) }
    return left.map { $0.description(of: store) }.sorted()
  }

  /// What has begun and not ended.
  var unfinished: [String] {
    state.withLock { Array($0.open.values) }.map { $0.description(of: store) }.sorted()
  }

  private func stopWaiting() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.isGivenUp = true
      return state.waiters
    }
    for waiter in waiters { waiter.finish(.success(())) }
  }

  private func closedError(_ key: CacheKey?) -> CacheError {
    CacheError(.closed, "the cache was closed, and its store \"\(store)\" with it", key: key)
  }

  // MARK: Deadlines

  /// Gives an operation up after so many nanoseconds from now.
  func setLimit(_ limit: Int64, of operation: TierOperation) {
    arm(operation, at: Lifetime.sum(time.precise, limit), attempt: 0)
  }

  /// A deadline that is noticed late says that the machine is slow, not the store: then the answer is
  /// waited for once more, a few times at most.
  private func arm(_ operation: TierOperation, at moment: Int64, attempt: Int) {
    operation.deadline = time.call(at: moment) { [self] in
      let now = time.precise
      if now - moment > Self.grace, attempt < 10 {
        arm(operation, at: Lifetime.sum(now, Self.grace), attempt: attempt + 1)
      } else {
        giveUp(operation)
      }
    }
  }

  /// How late a deadline may be noticed, in nanoseconds.
  private static let grace: Int64 = 50_000_000

  private func giveUp(_ operation: TierOperation) {
    let isOpen = state.withLock { state in
      guard state.open[ObjectIdentifier(operation)] != nil else { return false }
      state.late.insert(ObjectIdentifier(operation))
      return true
    }
    guard isOpen else { return }
    operation.giveUp(
      CacheError(
        .timedOut,
        "the store \"\(store)\" did not answer within its deadline",
        key: operation.key
      )
    )
  }
}
