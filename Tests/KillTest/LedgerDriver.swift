import CacheAside
import CacheAsideTesting
import Foundation

/// Two processes with two stores each on one folder, and what one removal by tag reads and writes.
enum LedgerDriver {
  private static let stores = 2
  private static let processes = 2

  /// Runs for a while and prints what was seen.
  ///
  /// - Returns: how much of it was wrong.
  static func run(seconds: Int) async throws -> Int {
    let folder = temporaryFolder("ledger")
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["ledger-work", folder.path, "\(seconds)", "other"]
    process.standardOutput = pipe
    try process.run()
    let own = try await work(folder: folder.path, seconds: seconds, name: "own")
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      let other = LedgerLane.Report(
        String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      )
    else {
      print("the other process failed")
      return 1
    }
    let sum = own + other
    print(
      "\(processes) processes of \(stores) stores, \(LedgerLane.tags) tags each, \(seconds) s: "
        + "\(sum.removals) removals, \(sum.resurrected) resurrected, \(sum.lost) lost"
    )
    return sum.resurrected + sum.lost
  }

  /// What one process does.
  static func work(
    folder: String,
    seconds: Int,
    name: String
  ) async throws -> LedgerLane.Report {
    let end = ContinuousClock.now + .seconds(seconds)
    return try await withThrowingTaskGroup(of: LedgerLane.Report.self) { group in
      for store in 0..<stores {
        let lane = LedgerLane(folder: folder, name: "\(name)\(store)", end: end)
        group.addTask { try lane.run() }
      }
      return try await group.reduce(LedgerLane.Report(), +)
    }
  }

  /// Removes by tags, one by one, and prints the bytes of the ledger that each removal reads and writes.
  ///
  /// - Returns: how much was wrong: a cost that grows, or a record that is lost.
  static func cost(most: Int) throws -> Int {
    let folder = temporaryFolder("ledger-cost")
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = FaultInjectingFileSystem()
    let store = try DiskStore(directory: folder.path, limit: .unlimited, files: files)
    var kept = CacheEntry(payload: [1], codec: .raw, type: 1, created: 0)
    kept.metadata.tags = [Tag("kept")]
    let key = ("kept" as CacheKey).within(LedgerLane.namespace)
    try store.setBlocking(kept, for: key)
    print("removals   bytes read   bytes written   a removal, in all   ledger")
    var (done, cheapest, dearest) = (0, Int.max, 0)
    for count in [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000]
    where count <= most {
      files.resetCounts()
      for index in done..<count {
        try store.invalidateBlocking(
          StoreInvalidation(.remove, .anyOf([Tag("tag/\(index)")]), in: LedgerLane.namespace)
        )
      }
      let (read, written) = (files.bytesRead, files.bytesWritten)
      let each = (read + written) / (count - done)
      let size = try POSIXFileSystem().status(at: folder.path + "/ledger").size
      print(cell(count, 8) + cell(read, 13) + cell(written, 16) + cell(each, 20) + cell(size, 9))
      (done, cheapest, dearest) = (count, min(cheapest, each), max(dearest, each))
    }
    let isKept = try store.entryBlocking(for: key) != nil
    print(isKept ? "the record of another tag is there" : "the record of another tag is lost")
    return (isKept ? 0 : 1) + (dearest > 4 * cheapest ? 1 : 0)
  }

  private static func cell(_ number: Int, _ width: Int) -> String {
    let text = "\(number)"
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func temporaryFolder(_ name: String) -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "cache-aside-\(name)-\(ProcessInfo.processInfo.processIdentifier)")
    try? FileManager.default.removeItem(at: folder)
    return folder
  }
}
