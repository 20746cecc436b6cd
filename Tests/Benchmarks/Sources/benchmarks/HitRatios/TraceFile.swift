import Foundation

/// A recorded trace: `NAME.txt.gz`, one decimal key a line.
struct TraceFile {
  let folder: String
  let name: String

  /// The keys in the order of their requests.
  func requests() throws -> [Int] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", "\(folder)/\(name).txt.gz"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0, !text.isEmpty else {
      throw BenchmarkFailure("\(folder)/\(name).txt.gz cannot be read")
    }
    var requests: [Int] = []
    var key: UInt64 = 0
    for byte in text {
      if byte == UInt8(ascii: "\n") {
        requests.append(Int(truncatingIfNeeded: key))
        key = 0
      } else {
        key = key &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
      }
    }
    return requests
  }
}
