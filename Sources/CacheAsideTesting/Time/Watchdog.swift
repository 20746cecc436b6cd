// Gives up a wait for quiet. The only reader of real time in this module.
import CacheAside
import Dispatch
import Synchronization

struct Watchdog: Sendable {
  /// Starts a countdown that calls its argument at the end; returns what stops it.
  let start: @Sendable (_ bark: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)

  /// A countdown of ten seconds of real time.
  static let real = after(.seconds(10))

  static func after(_ interval: DispatchTimeInterval) -> Watchdog {
    Watchdog { bark in
      let timer = DispatchSource.makeTimerSource()
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
