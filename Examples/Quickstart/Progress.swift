import Foundation
import Synchronization

/// Whether standard error is a terminal.
let isTerminal = isatty(STDERR_FILENO) == 1

/// Writes a line to standard error.
func printError(_ line: String) {
  FileHandle.standardError.write(Data((line + "\n").utf8))
}

/// A bar on a terminal; draws only when the percentage changes.
final class Progress: Sendable {
  private let total: Int
  private let isShown: Bool
  private let done = Mutex(0)

  init(total: Int, isShown: Bool) {
    self.total = total
    self.isShown = isShown && total > 0
  }

  func step() {
    done.withLock { done in
      done += 1
      guard isShown, done * 100 / total != (done - 1) * 100 / total else { return }
      let filled = done * 40 / total
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 40 - filled)
      FileHandle.standardError.write(Data("\r[\(bar)] \(done)/\(total)".utf8))
    }
  }

  func finish() {
    if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
  }
}
