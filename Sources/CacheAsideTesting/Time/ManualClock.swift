public import CacheAside
import Synchronization

/// A clock that moves only when a test moves it, and that knows when everything has come to rest.
///
/// It has two hands. The monotonic one drives ages, timeouts and sleeps; the wall hand stamps what
/// is written into stores. ``advance(by:)`` moves both, step by step: every sleeper whose moment
/// comes is woken at exactly that moment, and the clock moves on when all that it set going has
/// come to rest. ``setWall(_:)`` moves only the wall hand, as an administrator would.
/// ``sleepMachine(for:)`` moves both at once, as when a laptop was closed.
///
/// A cache that is given the ``timeSource`` runs its tasks on the clock's own serial executor. Run
/// the test's calls there too, with ``run(_:)``, and the order of everything is fixed:
///
/// ```swift
/// let clock = ManualClock()
/// try await clock.run {
///   async let user = load(42)                 // a producer that sleeps on the clock for 2 s
///   try await clock.advance(by: .seconds(2))  // returns when the load is done
///   let name = try await user.name
///   #expect(name == "Ada")
/// }
/// ```
///
/// Only what runs on the executor, or announced itself by ``beginWork(_:)``, is waited for; while a
/// thread of a store is at work, the executor begins nothing else. Child
/// tasks inherit the executor; a plain `Task { }` does not: use ``startTask(priority:_:)``.
public final class ManualClock: TimeProvider {
  struct State {
    var timeline: Timeline
    var isMoving = false
    var turns: [CheckedContinuation<Void, Never>] = []
  }

  let state: Lock<State>
  let executor: ManualExecutor

  /// Makes a clock at 2030-01-01T00:00:00Z, with its monotonic hand at some moment above zero.
  ///
  /// - Parameter seed: where the random sequence behind jitter starts; clocks of one seed give
  ///   the same sequence.
  public convenience init(seed: UInt64 = 0) { self.init(seed: seed, watchdog: .real) }

  init(seed: UInt64 = 0, watchdog: Watchdog) {
    state = Lock(State(timeline: Timeline(seed: seed)))
    executor = ManualExecutor(watchdog: watchdog)
  }

  /// The source to hand to caches and stores; it keeps the clock alive.
  public var timeSource: TimeSource { TimeSource(self) }

  /// Nanoseconds on the monotonic hand, which starts above zero and never moves back.
  public var monotonicNanoseconds: Int64 { state.withLock { $0.timeline.monotonic } }

  /// Microseconds since 1970-01-01T00:00:00Z on the wall hand.
  public var wallMicroseconds: Int64 { state.withLock { $0.timeline.wall } }

  /// How far the monotonic hand has moved since the clock was made.
  public var elapsed: Duration {
    .nanoseconds(monotonicNanoseconds - Timeline.monotonicOrigin)
  }

  /// The number of tasks that sleep on the clock.
  public var pendingSleeps: Int { state.withLock { $0.timeline.sleepers.count } }

  /// The labels of the work that is open outside the executor, oldest first.
  public var openWork: [String] { executor.openWork }

  /// The serial executor on which a cache with this clock runs its tasks.
  public var taskExecutor: (any TaskExecutor)? { executor }

  /// The next word of the seeded random sequence.
  ///
  /// - Returns: 64 random bits.
  public func nextRandom() -> UInt64 { state.withLock { $0.timeline.random.next() } }

  /// Notes that work runs outside the executor; the clock is not quiet before it has ended.
  ///
  /// Begin it before the work is handed to its thread, and end it after whoever waits for it was
  /// resumed, so that there is no gap in which the clock looks quiet.
  ///
  /// - Parameter label: what runs, for the message of ``Stalled``.
  /// - Returns: a token for ``endWork(_:)``.
  public func beginWork(_ label: String) -> UInt64 { executor.beginWork(label) }

  /// Ends what ``beginWork(_:)`` began; a second end of one token does nothing.
  ///
  /// - Parameter token: the token that it returned.
  public func endWork(_ token: UInt64) { executor.endWork(token) }
}
