import CacheAside
import Dispatch
import Synchronization

/// A gate that holds whoever arrives until the test opens it.
///
/// It stays open once opened, and lets everybody through from then on.
///
/// ```swift
/// let gate = Gate()
/// async let user = cached(key: "user") { try await gate.wait(); return "Ada" }
/// try await gate.waitForArrivals(1)   // the producer runs and waits
/// gate.open()
/// ```
public final class Gate: Sendable {
  private struct Waiter {
    let id: Int
    let end: @Sendable (Result<Void, any Error>) -> Void
  }

  private struct State {
    var isOpen: Bool
    var lastID = 0
    var waiters: [Waiter] = []
  }

  private let state: Lock<State>
  private let tally = Tally()

  /// Makes a gate.
  ///
  /// - Parameter isOpen: whether it lets everybody through from the start.
  public init(isOpen: Bool = false) { state = Lock(State(isOpen: isOpen)) }

  /// Whether the gate lets everybody through.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// How many wait at the gate now.
  public var waiting: Int { state.withLock { $0.waiters.count } }

  /// How many have come to the gate so far, those who left again included.
  public var arrivals: Int { tally.count }

  /// Opens the gate for good; those who wait go on in the order in which they came.
  public func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.end(.success(())) }
  }

  /// Suspends until the gate is open.
  ///
  /// - Throws: `CancellationError` as soon as the calling task is cancelled.
  public func wait() async throws {
    let id = nextID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        arrive(id, unlessCancelled: true) { continuation.resume(with: $0) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.end(.failure(CancellationError()))
    }
  }

  /// Suspends until the gate is open, whether or not the calling task is cancelled.
  public func waitIgnoringCancellation() async {
    await withCheckedContinuation { continuation in
      arrive(nextID(), unlessCancelled: false) { _ in continuation.resume() }
    }
  }

  /// Blocks the calling thread until the gate is open; not for tasks on the cooperative pool.
  ///
  /// - Parameter clock: the clock that knows of the thread's work by a work token; meanwhile that
  ///   token does not keep it from being quiet.
  public func waitBlocking(clock: ManualClock? = nil) {
    let opened = DispatchSemaphore(value: 0)
    arrive(nextID(), unlessCancelled: false) { _ in
      clock?.executor.endPause()
      opened.signal()
    }
    clock?.executor.beginPause()
    opened.wait()
  }

  /// Suspends until a number of arrivals has been reached, those who left again included.
  ///
  /// - Parameter count: how many.
  /// - Throws: `CancellationError` as soon as the calling task is cancelled.
  public func waitForArrivals(_ count: Int) async throws { try await tally.wait(for: count) }

  private func nextID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  private func arrive(
    _ id: Int,
    unlessCancelled: Bool,
    _ end: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let answer: Result<Void, any Error>? = state.withLock { state in
      if unlessCancelled && Task.isCancelled { return .failure(CancellationError()) }
      if state.isOpen { return .success(()) }
      state.waiters.append(Waiter(id: id, end: end))
      return nil
    }
    tally.increment()
    if let answer { end(answer) }
  }
}
