import Dispatch
import Foundation
import Synchronization

/// What must not be left behind, however the example ends.
final class Cleanup: Sendable {
  /// A folder for the disk store.
  let folder: String
  private let processes = Mutex<Set<Int32>>([])

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("flaky-source-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    folder = url.path
  }

  func add(_ process: Int32) { processes.withLock { _ = $0.insert(process) } }

  /// Kills a process that is still ours.
  func kill(_ process: Int32) {
    let isOurs = processes.withLock { $0.remove(process) != nil }
    if isOurs { _ = Foundation.kill(process, SIGKILL) }
  }

  /// Kills what runs and removes the folder.
  func run() {
    for process in processes.withLock({ $0 }) { kill(process) }
    do { try FileManager.default.removeItem(atPath: folder) } catch {
      printError("flaky-source: \(folder) could not be removed")
    }
  }

  /// Cleans up when the example is interrupted; keep the result.
  func runOnInterrupt() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in
        run()
        exit(128 + number)
      }
      source.resume()
      return source
    }
  }
}
