import CacheAside
import Synchronization

/// A producer that counts its runs, each of which waits until the test gives it a result.
///
/// ```swift
/// let producer = GatedProducer<String>()
/// async let one = cached(key: "user") { try await producer() }
/// async let two = cached(key: "user") { try await producer() }
/// try await producer.waitForRuns(1)
/// producer.release("Ada")
/// let names = try await [one, two]
/// #expect(names == ["Ada", "Ada"])
/// #expect(producer.calls == 1)
/// ```
///
/// A result given while no run waits is kept for the next run; several are used in order.
public final class GatedProducer<Value: Sendable>: Sendable {
  private struct Run {
    let id: Int
    let continuation: CheckedContinuation<Value, any Error>
  }

  private struct State {
    var runs: [Run] = []
    var results: [Result<Value, any Error>] = []
    var cancellations = 0
  }

  private let state = Lock(State())
  private let tally = Tally()

  /// Whether a cancelled run ends at once with `CancellationError`, or goes on waiting.
  public let honoursCancellation: Bool

  /// Makes a producer without results.
  ///
  /// - Parameter honoursCancellation: whether a cancelled run ends at once with
  ///   `CancellationError`; otherwise it only notes the cancellation and goes on waiting.
  public init(honoursCancellation: Bool = true) {
    self.honoursCancellation = honoursCancellation
  }

  /// How often it was run.
  public var calls: Int { tally.count }

  /// How many runs wait for a result.
  public var waiting: Int { state.withLock { $0.runs.count } }

  /// How many runs were cancelled while they waited, or before.
  public var cancellations: Int { state.withLock { $0.cancellations } }

  /// Runs the producer once.
  ///
  /// - Returns: the value that the test releases.
  /// - Throws: the error that the test gives, or `CancellationError` when the task is cancelled
  ///   and ``honoursCancellation`` is set.
  public func callAsFunction() async throws -> Value {
    let id = tally.increment()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<Value, any Error>? = state.withLock { state in
          if honoursCancellation && Task.isCancelled { return .failure(CancellationError()) }
          if !state.results.isEmpty { return state.results.removeFirst() }
          state.runs.append(Run(id: id, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Gives a value to the oldest run that waits, or to the next run.
  ///
  /// - Parameter value: what that run returns.
  public func release(_ value: Value) { finish(.success(value)) }

  /// Gives an error to the oldest run that waits, or to the next run.
  ///
  /// - Parameter error: what that run throws.
  public func fail(_ error: any Error) { finish(.failure(error)) }

  /// Suspends until the producer was run a number of times.
  ///
  /// - Parameter count: how many runs, the finished ones included.
  /// - Throws: `CancellationError` as soon as the calling task is cancelled.
  public func waitForRuns(_ count: Int) async throws { try await tally.wait(for: count) }

  private func finish(_ result: Result<Value, any Error>) {
    let run = state.withLock { state -> Run? in
      guard state.runs.isEmpty else { return state.runs.removeFirst() }
      state.results.append(result)
      return nil
    }
    run?.continuation.resume(with: result)
  }

  private func cancel(_ id: Int) {
    let run = state.withLock { state -> Run? in
      state.cancellations += 1
      guard honoursCancellation else { return nil }
      return state.runs.firstIndex { $0.id == id }.map { state.runs.remove(at: $0) }
    }
    run?.continuation.resume(throwing: CancellationError())
  }
}
