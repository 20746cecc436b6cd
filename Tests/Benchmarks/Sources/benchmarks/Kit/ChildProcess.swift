import Foundation

/// Figures that need a process of their own: memory, and what a process can do only once.
///
/// The executable is started again with a hidden option and prints one number.
enum ChildProcess {
  static let option = "--child"

  typealias Job = @Sendable () async throws -> Double

  /// Runs a job of ``childJobs`` in a process of its own.
  static func run(_ name: String) throws -> Double {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = [option, name]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard process.terminationStatus == 0, let figure = Double(text) else {
      throw BenchmarkFailure("the process for \(name) ended with \(process.terminationStatus)")
    }
    return figure
  }

  /// How many bytes of physical memory this process uses.
  static func residentBytes() -> Int {
    #if os(Linux) || os(Android)
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ")
    guard let fields, fields.count > 1, let pages = Int(fields[1]) else { return 0 }
    return pages * sysconf(Int32(_SC_PAGESIZE))
    #else
    var info = mach_task_basic_info()
    let words = MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size
    var count = mach_msg_type_number_t(words)
    let status = withUnsafeMutablePointer(to: &info) { pointer in
      pointer.withMemoryRebound(to: integer_t.self, capacity: words) {
        task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
      }
    }
    return status == KERN_SUCCESS ? Int(info.resident_size) : 0
    #endif
  }
}
