import Synchronization

extension Produced {
  /// Runs a callback producer and waits for its first answer.
  ///
  /// With it a callback producer can stand wherever a producer is expected:
  ///
  /// ```swift
  /// let profile = try await cached(key: "me") {
  ///   try await Produced<Profile> { success, failure in
  ///     api.profile { result in
  ///       switch result {
  ///       case .success(let profile): success(profile, .minutes(5))
  ///       case .failure(let error): failure(error)
  ///       }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// Later answers are ignored. Cancelling the task does not end the wait: the block is expected
  /// to answer, and the callers of the cache leave on their own.
  ///
  /// - Parameter block: calls one of its handlers, once, now or later, on any thread.
  /// - Throws: the error that the block gave; `CacheError` with the code `abandoned` when both
  ///   handlers were released without a call.
  public init(block: CacheBlock<Value>) async throws {
    self = try await withCheckedThrowingContinuation { continuation in
      let answer = BlockAnswer<Value>(continuation)
      block(
        { answer.resume(.success(Produced($0, expiry: $1))) },
        { answer.resume(.failure($0)) }
      )
    }
  }
}

/// The first answer of a block; released without one, it answers with an error.
private final class BlockAnswer<Value: Sendable>: Sendable {
  private let continuation: Lock<CheckedContinuation<Produced<Value>, any Error>?>

  init(_ continuation: CheckedContinuation<Produced<Value>, any Error>) {
    self.continuation = Lock(continuation)
  }

  func resume(_ result: Result<Produced<Value>, any Error>) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(with: result)
  }

  deinit {
    resume(
      .failure(
        CacheError(
          .abandoned,
          "the block released both handlers without calling one; call success or failure once"
        )
      )
    )
  }
}
