import CacheAside
import Synchronization

extension ManualClock {
  /// Moves both hands ahead, running everything that becomes due, and returns when all is quiet.
  ///
  /// First everything that can run now comes to rest. Then the sleepers whose moments lie on the
  /// way are woken one at a time, in the order of their deadlines, and among equal ones in the
  /// order in which they fell asleep; at each the hands show exactly its deadline, and the clock
  /// waits for quiet before it goes on. Sleeps that begin on the way count too. Callable from
  /// anywhere, also from tasks on the clock's executor; calls that meet move the hands one after
  /// the other. Cancellation does not stop it.
  ///
  /// - Parameter duration: how far; zero or less moves nothing and only waits for quiet.
  /// - Throws: ``Stalled`` when for a minute of real time nothing moves towards quiet, or when quiet
  ///   does not come within twelve minutes; the hands stay where they are then.
  public func advance(by duration: Duration) async throws {
    await beginMove()
    defer { endMove() }
    let target = state.withLock { $0.timeline.moment(after: duration) }
    try await executor.waitUntilQuiet()
    try await wakeSleepers(upTo: target)
  }

  /// Moves both hands by a duration at once, as a machine that slept, then wakes who is overdue.
  ///
  /// The overdue sleepers see the clock at the moment of waking, not at their deadlines; they are
  /// woken in the order of their deadlines, each when the one before it has come to rest.
  ///
  /// - Parameter duration: how long the machine slept; zero or less moves nothing.
  /// - Throws: ``Stalled`` as ``advance(by:)`` does.
  public func sleepMachine(for duration: Duration) async throws {
    await beginMove()
    defer { endMove() }
    try await executor.waitUntilQuiet()
    let target = state.withLock { state in
      let target = state.timeline.moment(after: duration)
      state.timeline.jump(to: target)
      return target
    }
    try await wakeSleepers(upTo: target)
  }

  /// Sets the wall hand alone; the monotonic hand, ages and sleeps are as before.
  ///
  /// - Parameter microseconds: the new time, in microseconds since 1970-01-01T00:00:00Z.
  public func setWall(_ microseconds: Int64) {
    state.withLock { $0.timeline.setWall(microseconds) }
  }

  /// Waits until all work that can go on without the clock moving has come to rest.
  ///
  /// Quiet means that the executor has nothing to run and that no work is open outside it. Called
  /// from a task on the executor, it waits for all others.
  ///
  /// - Throws: ``Stalled`` as ``advance(by:)`` does.
  public func settle() async throws { try await executor.waitUntilQuiet() }

  private func wakeSleepers(upTo target: Int64) async throws {
    while let sleeper = state.withLock({ $0.timeline.step(to: target) }) {
      sleeper.continuation.resume()
      try await executor.waitUntilQuiet()
    }
  }

  // MARK: One move at a time

  private func beginMove() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isMoving { state.turns.append(continuation) }
        defer { state.isMoving = true }
        return !state.isMoving
      }
      if isFree { continuation.resume() }
    }
  }

  private func endMove() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.turns.isEmpty else { return state.turns.removeFirst() }
      state.isMoving = false
      return nil
    }
    next?.resume()
  }
}
