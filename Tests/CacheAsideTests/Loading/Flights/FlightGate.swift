import Synchronization

@testable import CacheAside

/// The errors of these tests' producers.
enum FlightTestError: Error, Equatable { case boom, net }

/// A producer that counts its runs and holds them until it is told to go on.
final class FlightGate<Value: Sendable>: Sendable {
  private struct State {
    var calls = 0
    var cancelled = 0
    var result: Result<Value, any Error>?
    var held: [Int: CheckedContinuation<Result<Value, any Error>, Never>] = [:]
  }

  private let state = Lock(State())
  private let heedsCancellation: Bool

  init(heedsCancellation: Bool = true) { self.heedsCancellation = heedsCancellation }

  /// Runs that began.
  var calls: Int { state.withLock { $0.calls } }

  /// Runs that were cancelled while they were held.
  var cancelled: Int { state.withLock { $0.cancelled } }

  func release(_ value: Value) { open(.success(value)) }

  func fail(_ error: any Error) { open(.failure(error)) }

  func callAsFunction() async throws -> Value {
    let run = state.withLock { state in
      state.calls += 1
      return state.calls
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = heedsCancellation && Task.isCancelled
        let result = state.withLock { state -> Result<Value, any Error>? in
          if isCancelled { return .failure(CancellationError()) }
          if state.result == nil { state.held[run] = continuation }
          return state.result
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      let held = state.withLock { state in
        state.cancelled += 1
        return heedsCancellation ? state.held.removeValue(forKey: run) : nil
      }
      held?.resume(returning: .failure(CancellationError()))
    }
    return try result.get()
  }

  private func open(_ result: Result<Value, any Error>) {
    let held = state.withLock { state in
      state.result = result
      let held = state.held
      state.held = [:]
      return held
    }
    for (_, continuation) in held { continuation.resume(returning: result) }
  }
}

/// Counts calls.
final class FlightCalls: Sendable {
  private let calls = Atomic<Int>(0)

  var count: Int { calls.load(ordering: .acquiring) }

  @discardableResult
  func next() -> Int { calls.add(1, ordering: .acquiringAndReleasing).newValue }
}

/// Gives way to other tasks until a condition holds or the test runs out of time.
func until(_ condition: () -> Bool) async {
  while !condition(), !Task.isCancelled { await Task.yield() }
}
