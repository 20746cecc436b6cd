import Foundation
import Synchronization

/// The server behind the cache: a process of its own that is started, slowed down and killed.
actor Source {
  private var process: Process?
  private var input: Pipe?
  private var output: Pipe?
  private let cleanup: Cleanup
  private let address = Mutex<UInt16>(0)

  init(_ cleanup: Cleanup) { self.cleanup = cleanup }

  /// Where it listens, or did before it was killed.
  nonisolated var port: UInt16 { address.withLock { $0 } }

  /// Starts it and returns when it answers.
  func start(epoch: Int) async throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("source.py").path
    guard FileManager.default.fileExists(atPath: script) else {
      throw Complaint("\(script) is missing; run the example from the folder it was built in")
    }
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script, "\(epoch)"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    cleanup.add(process.processIdentifier)
    (self.process, self.input, self.output) = (process, input, output)

    let descriptor = output.fileHandleForReading.fileDescriptor
    let line = try await blocking { readLine(from: descriptor) }
    guard let port = UInt16(line) else {
      throw Complaint("the source did not start; it needs python3")
    }
    address.withLock { $0 = port }
  }

  /// Makes answers slow, and some of them hang.
  func slowDown() throws {
    try input?.fileHandleForWriting.write(contentsOf: Data("slow\n".utf8))
  }

  /// Kills it and returns when it is gone.
  func kill() async {
    guard let process else { return }
    cleanup.kill(process.processIdentifier)
    while process.isRunning {
      do { try await Task.sleep(for: .milliseconds(5)) } catch { break }
    }
    (self.process, input, output) = (nil, nil, nil)
  }
}

/// Reads up to the end of a line.
private func readLine(from descriptor: Int32) -> String {
  var line: [UInt8] = []
  var byte: UInt8 = 0
  while unsafe read(descriptor, &byte, 1) == 1, byte != 0x0A { line.append(byte) }
  return String(decoding: line, as: UTF8.self)
}
