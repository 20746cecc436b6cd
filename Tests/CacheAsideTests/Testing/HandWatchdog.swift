@testable import CacheAsideTesting

/// A watchdog that bites when the test says so.
final class HandWatchdog: Sendable {
  let bites = EventRecorder<@Sendable () -> Void>()
  let stops = EventRecorder<Bool>()

  var watchdog: Watchdog { watchdog(lastBark: 1) }

  func watchdog(lastBark: Int) -> Watchdog {
    Watchdog(lastBark: lastBark) { bark in
      self.bites.record(bark)
      return { self.stops.record(true) }
    }
  }
}
