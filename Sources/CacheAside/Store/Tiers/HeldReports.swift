import Synchronization

// Events that arise while a gate is held. An observer is a user's code and may call the cache, so it
// must not run under the gate (F6): what is reported there is kept and sent once the gate is left.
// A store reports on the thread it was called on, so a task-local finds the reports that belong to
// the gate. `BlockingGate` holds, `Tier` reports.

/// What was reported under a gate.
final class HeldReports: Sendable {
  @TaskLocal private static var current: HeldReports?

  /// The reports so far; `nil` once they were sent.
  private let reports = Lock<[@Sendable () -> Void]?>([])

  /// Runs a function and sends afterwards what it reported; within another such function, after that.
  static func hold<Result>(_ body: () throws -> Result) rethrows -> Result {
    let held = HeldReports()
    defer { held.send() }
    return try $current.withValue(held, operation: body)
  }

  /// Sends a report, at once unless the caller is under a gate.
  static func report(_ send: @escaping @Sendable () -> Void) {
    if current?.keep(send) != true { send() }
  }

  private func keep(_ report: @escaping @Sendable () -> Void) -> Bool {
    reports.withLock { reports in
      reports?.append(report)
      return reports != nil
    }
  }

  private func send() {
    let kept = reports.withLock { reports in
      defer { reports = nil }
      return reports ?? []
    }
    // Whoever holds reports around this one may hold a lock, too.
    for report in kept { Self.report(report) }
  }
}
