// Gives up a wait for quiet. The only reader of real time in this module.
//
// It barks after a while and bites when nothing moved since the bark before, so that a clock on a
// machine that gives it little time is not taken for one that hangs; work that moves for ever, a
// task that enqueues itself for example, is bitten at the last of so many barks.
import CacheAside
import Dispatch
import Synchronization

struct Watchdog: Sendable {
  /// The bark that bites whatever moved.
  let lastBark: Int

  /// Starts a countdown that calls its argument at the end; returns what stops it.
  let start: @Sendable (_ bark: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)

  /// Makes a watchdog.
  ///
  /// - Parameters:
  ///   - lastBark: the bark that bites whatever moved.
  ///   - start: starts a countdown.
  init(
    lastBark: Int = 1,
    start: @escaping @Sendable (_ bark: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)
  ) {
    self.lastBark = lastBark
    self.start = start
  }

  /// Ten seconds of real time without any movement, or two minutes in all.
  static let real = after(.seconds(10), lastBark: 12)

  /// One queue for all timers: on a concurrent one each cancelled timer may start a thread, and a
  /// clock that wakes thousands makes as many timers.
  private static let queue = DispatchQueue(label: "CacheAsideTesting.Watchdog")

  static func after(_ interval: DispatchTimeInterval, lastBark: Int = 1) -> Watchdog {
    Watchdog(lastBark: lastBark) { bark in
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler(handler: bark)
      timer.schedule(deadline: .now() + interval)
      timer.resume()
      let box = TimerBox(timer)
      return { box.cancel() }
    }
  }

  private final class TimerBox: Sendable {
    private let timer: Lock<any DispatchSourceTimer>

    init(_ timer: sending any DispatchSourceTimer) { self.timer = Lock(timer) }

    func cancel() { timer.withLock { $0.cancel() } }
  }
}
