import Foundation

/// Writes a line to standard error.
func printError(_ line: String) {
  FileHandle.standardError.write(Data((line + "\n").utf8))
}

/// A line on a terminal that says how far the drill is.
struct Progress: Sendable {
  private let tally: Tally
  private let isShown = isatty(STDERR_FILENO) == 1

  init(_ tally: Tally) { self.tally = tally }

  /// Waits for the end of a phase, and shows it.
  func wait(_ duration: Duration, _ phase: Phase) async throws {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {
      draw(phase, end - ContinuousClock.now)
      let step = ContinuousClock.now + .milliseconds(200)
      try await Task.sleep(until: min(step, end), clock: .continuous)
    }
  }

  func finish() { if isShown { write("\r\u{1B}[K") } }

  private func draw(_ phase: Phase, _ left: Duration) {
    guard isShown else { return }
    let column = tally[phase]
    let seconds = Int((left / .seconds(1)).rounded(.up))
    write(
      "\r\u{1B}[Ksource \(phase), \(seconds) s left: \(column.total) answers, "
        + "\(column.errors + column.errorsAfterWindow) errors"
    )
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
