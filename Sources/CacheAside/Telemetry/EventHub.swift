import Synchronization

/// Hands events to observers and to bounded streams; costs nothing while nobody listens.
final class EventHub: Sendable {
  private struct State {
    var observers: [any CacheObserver] = []
    var streams: [UInt64: AsyncStream<CacheEvent>.Continuation] = [:]
    var nextStream: UInt64 = 0
    var isFinished = false
  }

  private let state = Lock(State())
  private let dropped = Counter()

  /// Events that were dropped because a stream's buffer was full.
  var droppedEvents: UInt64 { dropped.count }

  func add(_ observer: any CacheObserver) {
    state.withLock { $0.observers.append(observer) }
  }

  /// A new stream that keeps the newest events when its reader is slow.
  func stream(bufferingNewest limit: Int) -> AsyncStream<CacheEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: CacheEvent.self,
      bufferingPolicy: .bufferingNewest(max(1, limit))
    )
    let identifier = state.withLock { state -> UInt64? in
      if state.isFinished { return nil }
      state.nextStream += 1
      state.streams[state.nextStream] = continuation
      return state.nextStream
    }
    guard let identifier else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      // The continuation is released after the lock.
      _ = self?.state.withLock { $0.streams.removeValue(forKey: identifier) }
    }
    return stream
  }

  func send(_ event: CacheEvent) {
    let (observers, streams) = state.withLock { ($0.observers, Array($0.streams.values)) }
    for observer in observers { observer.receive(event) }
    for stream in streams {
      if case .dropped = stream.yield(event) { dropped.add() }
    }
  }

  /// Sets the count of dropped events to zero.
  func resetDropped() { dropped.reset() }

  /// Ends every stream.
  func finish() {
    let streams = state.withLock { state in
      defer { state.streams = [:] }
      state.isFinished = true
      return Array(state.streams.values)
    }
    for stream in streams { stream.finish() }
  }
}
