import CacheAside
import Synchronization

/// Collects values from any thread, in the order in which they came.
///
/// ```swift
/// let recorder = EventRecorder<CacheEvent>()
/// // … observer: { recorder.record($0) }
/// try await recorder.waitForCount(1)
/// #expect(recorder.events.map(\.kind) == [.readFailed])
/// ```
public final class EventRecorder<Event: Sendable>: Sendable {
  private let state = Lock<[Event]>([])
  private let tally = Tally()

  /// Makes a recorder without events.
  public init() {}

  /// What was recorded so far.
  public var events: [Event] { state.withLock { $0 } }

  /// Records an event.
  ///
  /// - Parameter event: what happened.
  public func record(_ event: Event) {
    state.withLock { $0.append(event) }
    tally.increment()
  }

  /// Forgets what was recorded so far.
  ///
  /// - Returns: what it was.
  @discardableResult
  public func removeAll() -> [Event] {
    state.withLock { events in
      defer { events = [] }
      return events
    }
  }

  /// Suspends until a number of events was recorded, the removed ones included.
  ///
  /// - Parameter count: how many since the recorder was made.
  /// - Throws: `CancellationError` as soon as the calling task is cancelled.
  public func waitForCount(_ count: Int) async throws { try await tally.wait(for: count) }
}
