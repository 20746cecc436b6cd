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

  /// A minute of real time without any movement, or twelve minutes in all.
  static let real = after(.seconds(5), ticks: 12, lastBark: 12)

  /// One queue for all timers: on a concurrent one each cancelled timer may start a thread, and a
  /// clock that wakes thousands makes as many timers.
  private static let queue = DispatchQueue(label: "CacheAsideTesting.Watchdog")

  /// A watchdog that barks after so many ticks of an interval.
  ///
  /// A tick takes a thread of the pool that the work needs too, and one that comes late delays those
  /// after it: a machine that gives the process little time makes the countdown longer.
  static func after(
    _ interval: DispatchTimeInterval,
    ticks: Int = 1,
    lastBark: Int = 1
  ) -> Watchdog {
    Watchdog(lastBark: lastBark) { bark in
      let countdown = Countdown(interval, bark)
      countdown.tick(ticks)
      return { countdown.stop() }
    }
  }

  private final class Countdown: Sendable {
    private struct State {
      var stopTick: (@Sendable () -> Void)?
      var isStopped = false
    }

    private let interval: DispatchTimeInterval
    private let bark: @Sendable () -> Void
    private let state = Lock(State())

    init(_ interval: DispatchTimeInterval, _ bark: @escaping @Sendable () -> Void) {
      self.interval = interval
      self.bark = bark
    }

    func tick(_ left: Int) {
      let stop = Watchdog.once(after: interval) { [self] in
        if left > 1 { tick(left - 1) } else { bark() }
      }
      let isStopped = state.withLock { state in
        if !state.isStopped { state.stopTick = stop }
        return state.isStopped
      }
      if isStopped { stop() }
    }

    func stop() {
      let stopTick = state.withLock { state in
        state.isStopped = true
        return state.stopTick.take()
      }
      stopTick?()
    }
  }

  private static func once(
    after interval: DispatchTimeInterval,
    _ body: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler(handler: body)
    timer.schedule(deadline: .now() + interval)
    timer.resume()
    let box = TimerBox(timer)
    return { box.cancel() }
  }

  private final class TimerBox: Sendable {
    private let timer: Lock<any DispatchSourceTimer>

    init(_ timer: sending any DispatchSourceTimer) { self.timer = Lock(timer) }

    func cancel() { timer.withLock { $0.cancel() } }
  }
}
