import Synchronization

/// Holds who comes until it is opened.
final class Gate: Sendable {
  private struct State {
    var waiting: [CheckedContinuation<Void, Never>] = []
    var isOpen = false
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.waiting.count } }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if state.isOpen { return true }
        state.waiting.append(continuation)
        return false
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Lets everybody go, first come first, and holds nobody from now on.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
