import Synchronization

/// A breaker that loads share.
///
/// A source without failures costs its loads one atomic read. What leaves the state is released
/// outside the lock: errors are a user's.
final class SharedBreaker: Sendable {
  private let state = Lock(Breaker())
  private let isDisturbed = Atomic<Bool>(false)

  /// What is known of its source; as new where nothing failed since the last value.
  var current: Breaker {
    isDisturbed.load(ordering: .acquiring) ? state.withLock { $0 } : Breaker()
  }

  /// Whether a load would be held back that asks now.
  func holdsBack(_ now: Int64) -> Bool {
    isDisturbed.load(ordering: .acquiring) && state.withLock { $0.holdsBack(now) }
  }

  /// Asks for a load, as ``Breaker/admit(_:now:pause:)``.
  func admit(
    _ load: @autoclosure () -> Breaker.Load?,
    now: @autoclosure () -> Int64,
    pause: Int64
  ) -> Breaker.Admission {
    guard isDisturbed.load(ordering: .acquiring), let load = load() else { return .free }
    let now = now()
    return state.withLock { $0.admit(load, now: now, pause: pause) }
  }

  /// A load has ended with a value.
  func succeed() -> Breaker.Change {
    guard isDisturbed.load(ordering: .acquiring) else { return .none }
    return change { $0.succeed() }
  }

  /// A load has failed, as ``Breaker/fail(_:_:now:pause:limit:)``.
  func fail(
    _ load: Breaker.Load,
    _ error: any Error,
    now: Int64,
    pause: Int64,
    limit: Int
  ) -> Breaker.Change {
    change { $0.fail(load, error, now: now, pause: pause, limit: limit) }
  }

  /// A load has ended in a way that says nothing about its source.
  func end(_ load: Breaker.Load) {
    guard isDisturbed.load(ordering: .acquiring) else { return }
    _ = change { breaker -> Breaker.Change in
      breaker.end(load)
      return .none
    }
  }

  private func change(_ body: (inout Breaker) -> Breaker.Change) -> Breaker.Change {
    let (change, displaced) = state.withLock { breaker in
      let displaced = breaker.cause
      let change = body(&breaker)
      isDisturbed.store(!breaker.isFresh, ordering: .releasing)
      return (change, displaced)
    }
    _ = displaced
    return change
  }
}
