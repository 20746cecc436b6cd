import Synchronization

/// Hands events to observers and to bounded streams; costs nothing while nobody listens.
final class EventHub: Sendable {
  private struct State {
    var observers: [any CacheObserver] = []
    var streams: [UInt64: AsyncStream<CacheEvent>.Continuation] = [:]
    var nextStream: UInt64 = 0
    var isFinished = false
    /// What was to be said before anybody listened: the first who does gets it.
    var held: [CacheEvent] = []

    mutating func takeHeld() -> [CacheEvent] {
      defer { held = [] }
      return held
    }
  }

  private let state = Lock(State())
  private let dropped = Counter()

  /// Events that were dropped because a stream's buffer was full.
  var droppedEvents: UInt64 { dropped.count }

  func add(_ observer: any CacheObserver) {
    let held = state.withLock { state in
      state.observers.append(observer)
      return state.takeHeld()
    }
    for event in held { observer.receive(event) }
  }

  /// Sends events to those who listen, or else to the first who will.
  func sendOrHold(_ events: [CacheEvent]) {
    let isHeard = state.withLock { state in
      if !state.observers.isEmpty || !state.streams.isEmpty { return true }
      state.held += events
      return false
    }
    if isHeard { for event in events { send(event) } }
  }

  /// A new stream that keeps the newest events when its reader is slow.
  func stream(bufferingNewest limit: Int) -> AsyncStream<CacheEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: CacheEvent.self,
      bufferingPolicy: .bufferingNewest(max(1, limit))
    )
    let (identifier, held) = state.withLock { state -> (UInt64?, [CacheEvent]) in
      if state.isFinished { return (nil, []) }
      state.nextStream += 1
      state.streams[state.nextStream] = continuation
      return (state.nextStream, state.takeHeld())
    }
    guard let identifier else {
      continuation.finish()
      return stream
    }
    for event in held {
      if case .dropped = continuation.yield(event) { dropped.add() }
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
