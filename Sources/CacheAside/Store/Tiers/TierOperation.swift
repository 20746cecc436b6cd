import Synchronization

// One operation of a tier: what it waits for can be given up from outside, at the deadline of the
// store or when the cache is closed. A call of the store that was given up goes on until it ends by
// itself; only its result is ignored. Nothing resumes under a lock.

/// A store operation that has begun.
final class TierOperation: Sendable {
  /// What an operation does.
  enum Kind: String, Sendable {
    case read, write, removal
    /// The store itself finds the records, so that it takes as long as there are many.
    case clear, invalidation, listing, upkeep
  }

  private struct State {
    /// The function of the tier itself, and its calls of the store.
    var parts = 1
    var failure: (any Error)?
    var deadline: Deadline?
    /// Gives up what the operation waits for now.
    var giveUp: (@Sendable (any Error) -> Void)?
  }

  let kind: Kind
  let key: CacheKey?
  let count: Int
  private let state = Lock(State())

  init(_ kind: Kind, _ key: CacheKey?, count: Int) {
    self.kind = kind
    self.key = key
    self.count = count
  }

  /// When it is given up; `nil` for never.
  var deadline: Deadline? {
    get { state.withLock { $0.deadline } }
    set { state.withLock { $0.deadline = newValue } }
  }

  /// Why it was given up; `nil` while it was not.
  var failure: (any Error)? { state.withLock { $0.failure } }

  /// What it is, for whoever waits for its end.
  func description(of store: String) -> String {
    guard let key else { return "\(kind.rawValue) in the store \"\(store)\"" }
    let others = count > 1 ? " and \(count - 1) more" : ""
    return "\(kind.rawValue) of \(key.description)\(others) in the store \"\(store)\""
  }

  /// Lets the operation begin nothing more.
  func fail(_ error: any Error) {
    state.withLock { state in
      if state.failure == nil { state.failure = error }
    }
  }

  /// Ends all waiting of the operation with an error.
  func giveUp(_ error: any Error) {
    let giveUp = state.withLock { state in
      if state.failure == nil { state.failure = error }
      defer { state.giveUp = nil }
      return state.giveUp
    }
    giveUp?(error)
  }

  /// Waits until something is finished, or the operation is given up.
  ///
  /// - Parameters:
  ///   - onGivenUp: called when it was given up while it waited.
  ///   - start: begins what is waited for, which finishes the promise.
  /// - Returns: what it finished with.
  /// - Throws: its error, or why the operation was given up.
  func wait<Result: Sendable>(
    onGivenUp: @escaping @Sendable () -> Void = {},
    _ start: (TierPromise<Result>) -> Void
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let promise = TierPromise(continuation)
      let failure = state.withLock { state in
        if state.failure == nil {
          state.giveUp = { error in
            if promise.finish(.failure(error)) { onGivenUp() }
          }
        }
        return state.failure
      }
      if let failure {
        promise.finish(.failure(failure))
      } else {
        start(promise)
      }
    }
  }

  /// Adds a part that has to end before the operation has ended.
  func addPart() { state.withLock { $0.parts += 1 } }

  /// Ends a part; returns whether it was the last.
  func endPart() -> Bool {
    state.withLock { state in
      state.parts -= 1
      return state.parts == 0
    }
  }
}

/// What an operation waits for; the first result counts.
final class TierPromise<Result: Sendable>: Sendable {
  private let continuation: Lock<CheckedContinuation<Result, any Error>?>

  init(_ continuation: CheckedContinuation<Result, any Error>) {
    self.continuation = Lock(continuation)
  }

  /// Says how it ended; returns whether anybody still waited.
  @discardableResult
  func finish(_ result: Swift.Result<Result, any Error>) -> Bool {
    let waiting = continuation.withLock { $0.take() }
    waiting?.resume(with: result)
    return waiting != nil
  }
}
