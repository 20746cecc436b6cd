import Foundation

/// Two workers on one folder, from their start to their death.
struct Round {
  let number: Int
  let setup: Setup
  /// After how many operations that began both are killed.
  let begins: Int
  /// How long after that, so that the kill meets any part of an operation.
  let delay: UInt64
  let seed: UInt64

  /// What ended differently than by the kill.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs the workers and kills them.
  ///
  /// - Parameter ledgers: one a worker; they take its reports.
  /// - Returns: the violations that the workers themselves have seen.
  /// - Throws: ``Failure`` when a worker ended otherwise than by the kill.
  func run(_ ledgers: inout [Ledger]) throws -> [String] {
    let workers = try ledgers.indices.map(start)
    let pipes = workers.map(\.pipe.fileHandleForReading.fileDescriptor)
    var open = Array(pipes.indices)
    var rests = pipes.map { _ in [UInt8]() }
    var seen: [String] = []
    var count = 0
    var isKilled = false
    while !open.isEmpty {
      guard let (place, bytes) = readSome(of: open.map { pipes[$0] }) else {
        for worker in workers { killNow(worker.process.processIdentifier) }
        throw Failure(description: "the workers were silent for a minute")
      }
      let index = open[place]
      guard let bytes else {
        open.remove(at: place)
        continue
      }
      rests[index] += bytes
      while let end = rests[index].firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: rests[index][..<end], as: UTF8.self)
        rests[index].removeSubrange(...end)
        if line.hasPrefix("x ") { seen.append(String(line.dropFirst(2))) }
        if ledgers[index].take(line.split(separator: " ")) { count += 1 }
      }
      if count >= begins && !isKilled {
        isKilled = true
        spin(microseconds: delay)
        for worker in workers { killNow(worker.process.processIdentifier) }
      }
    }
    for worker in workers {
      worker.process.waitUntilExit()
      guard worker.process.terminationReason == .uncaughtSignal else {
        throw Failure(description: "a worker ended by itself: \(worker.process.terminationStatus)")
      }
    }
    return seen
  }

  private func start(_ identity: Int) throws -> (process: Process, pipe: Pipe) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = [
      "work", setup.folder, "\(setup.limit)", setup.isNaive ? "naive" : "sound", "\(identity)",
      "\(number)", "\(seed &+ UInt64(identity))",
    ]
    process.standardOutput = pipe
    try process.run()
    // Else the pipe has no end when the worker is dead.
    try pipe.fileHandleForWriting.close()
    return (process, pipe)
  }
}
