import Foundation
import Synchronization

/// Runs a function on a thread of its own; its value can be waited for without blocking.
final class OwnThread<Value: Sendable>: Sendable {
  private enum State {
    case running([CheckedContinuation<Value, Never>])
    case done(Value)
  }

  private let state = Mutex<State>(.running([]))

  init(_ body: @escaping @Sendable () -> Value) {
    Thread.detachNewThread { [self] in
      let value = body()
      let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>] in
        defer { state = .done(value) }
        if case .running(let waiting) = state { return waiting }
        return []
      }
      for continuation in waiting { continuation.resume(returning: value) }
    }
  }

  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let done = state.withLock { state -> Value? in
          switch state {
          case .done(let value): return value
          case .running(let waiting):
            state = .running(waiting + [continuation])
            return nil
          }
        }
        if let done { continuation.resume(returning: done) }
      }
    }
  }
}
