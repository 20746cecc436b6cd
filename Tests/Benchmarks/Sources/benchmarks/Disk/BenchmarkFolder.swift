import Foundation
import Synchronization

/// A folder for files that are written to measure, removed at the latest when the process ends.
///
/// It lies in `TMPDIR`. Standard error gets to know on which file system that is.
final class BenchmarkFolder {
  let path: String
  private static let existing = Mutex<Set<String>>([])

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/cacheaside-benchmarks-\(UUID())"
    let path = path
    if Self.existing.withLock({ $0.insert(path).inserted && $0.count == 1 }) {
      Self.cleanUpAtExit
      complain("disk: \(path) on \(fileSystem(of: path))")
    }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    let path = path
    Self.existing.withLock { _ = $0.remove(path) }
  }

  private static let cleanUpAtExit: Void = {
    atexit {
      for path in BenchmarkFolder.existing.withLock({ $0 }) {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        // By another process, since this one may be in the middle of writing there.
        let removal = Process()
        removal.executableURL = URL(fileURLWithPath: "/bin/rm")
        removal.arguments = ["-rf"] + BenchmarkFolder.existing.withLock { $0 }
        try? removal.run()
        _exit(128 + number)
      }
    }
  }()
}

/// The value of a variable of the process's environment.
func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

/// The type of the file system of a path, where the system says.
private func fileSystem(of path: String) -> String {
  let mounts = (try? String(contentsOfFile: "/proc/mounts", encoding: .utf8)) ?? ""
  let fields = mounts.split(separator: "\n").map { $0.split(separator: " ") }
  let covering = fields.filter { field in
    field.count > 2 && (field[1] == "/" || path.hasPrefix(field[1] + "/"))
  }
  return covering.max { $0[1].count < $1[1].count }.map { String($0[2]) }
    ?? "an unknown file system"
}
