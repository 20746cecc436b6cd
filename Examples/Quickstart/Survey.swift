import CacheAside
import Synchronization

/// The job: a cached function over every file, and eight callers for each.
struct Survey {
  static let callersPerFile = 8

  private let options: Options

  init(_ options: Options) { self.options = options }

  func run() async throws -> Report {
    let failures = Failures()
    let files = try SourceFile.all(below: options.path) { path, reason in
      failures.add(path, reason)
    }

    let caches = try Caches {
      Feature("digests", expiry: .days(30)) {
        Memory(.count(100_000))
        Disk(limit: .megabytes(200))
      }
    }
    let digests = try caches["digests"]
    if options.clears { try await digests.removeAll() }

    // The key says which version of the file it is, so a changed file is a new key.
    let digest = digests.cached(
      "digest",
      by: { (file: SourceFile) in
        FileVersion(path: file.path, size: file.size, modified: file.modified)
      }
    ) { (file: SourceFile) in try Digest(of: file) }

    let progress = Progress(total: files.count, isShown: !options.printsJSON && isTerminal)
    let clock = ContinuousClock()
    let start = clock.now
    await withTaskGroup(of: Void.self) { group in
      // A window of files at a time, so that a million files are not a million tasks.
      var next = files.makeIterator()
      func add() {
        guard let file = next.next() else { return }
        group.addTask {
          if let reason = await survey(file, digest) { failures.add(file.path, reason) }
          progress.step()
        }
      }
      for _ in 0..<64 { add() }
      while await group.next() != nil { add() }
    }
    let elapsed = clock.now - start
    progress.finish()
    let statistics = digests.statistics
    try await caches.close()
    return Report(
      files: files.count,
      calls: files.count * Self.callersPerFile,
      statistics: statistics,
      failures: failures.all,
      elapsed: elapsed
    )
  }
}

/// What identifies a version of a file.
struct FileVersion: Codable, Hashable, CacheKeyConvertible {
  let path: String
  let size: Int
  let modified: Int64
}

/// Asks for a file's digest as eight independent callers would; returns why it failed.
private func survey(
  _ file: SourceFile,
  _ digest: MemoizedFunction<FileVersion, Digest, SourceFile>
) async -> String? {
  await withTaskGroup(of: String?.self) { callers in
    for _ in 0..<Survey.callersPerFile {
      callers.addTask {
        do {
          _ = try await digest(file)
          return nil
        } catch {
          return "\(error)"
        }
      }
    }
    var reason: String?
    for await failure in callers { reason = reason ?? failure }
    return reason
  }
}

/// The paths that failed, each with the reason.
final class Failures: Sendable {
  private let state = Mutex<[(path: String, reason: String)]>([])

  var all: [(path: String, reason: String)] { state.withLock { $0 }.sorted { $0.path < $1.path } }

  func add(_ path: String, _ reason: String) {
    state.withLock { $0.append((path, reason)) }
  }
}
