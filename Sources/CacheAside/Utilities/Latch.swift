import Synchronization

/// Something that happens once, and that any number of tasks may wait for.
final class Latch: Sendable {
  private struct Waiter {
    let continuation: CheckedContinuation<Bool, Never>
    var deadline: Deadline?
  }

  private struct State {
    var isOpen = false
    var waiters: [UInt64: Waiter] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Lock(State())

  /// Lets everybody go on, those that come later too.
  func open() {
    let waiters = state.withLock { state in
      defer { state.waiters = [:] }
      state.isOpen = true
      return state.waiters
    }
    for waiter in waiters.values {
      waiter.deadline?.cancel()
      waiter.continuation.resume(returning: true)
    }
  }

  /// Waits until it is open; a cancelled task waits, too.
  ///
  /// - Parameters:
  ///   - moment: when the wait is given up, in monotonic nanoseconds; `max` for never.
  ///   - time: the clock.
  /// - Returns: whether it is open.
  func wait(until moment: Int64, _ time: TimeSource) async -> Bool {
    await withCheckedContinuation { continuation in
      let number = state.withLock { state -> UInt64? in
        if state.isOpen { return nil }
        state.lastNumber += 1
        state.waiters[state.lastNumber] = Waiter(continuation: continuation)
        return state.lastNumber
      }
      guard let number else { return continuation.resume(returning: true) }
      if moment == .max { return }
      if moment <= time.precise { return giveUp(number) }
      let deadline = time.call(at: moment) { [self] in giveUp(number) }
      let isWaiting = state.withLock { state in
        state.waiters[number]?.deadline = deadline
        return state.waiters[number] != nil
      }
      if !isWaiting { deadline.cancel() }
    }
  }

  private func giveUp(_ number: UInt64) {
    let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
    waiter?.continuation.resume(returning: false)
  }
}
