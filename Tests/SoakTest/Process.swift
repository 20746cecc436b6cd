import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes a line.
func writeLine(_ line: String, to descriptor: Int32) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe write(descriptor, bytes, bytes.count)
}

/// Ends this process.
func leave(_ status: Int32) -> Never { exit(status) }

/// How much memory the process has, in kilobytes; `nil` where the system does not say.
func residentKilobytes() -> Int? {
  #if os(Linux)
  let file = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var buffer = [UInt8](repeating: 0, count: 8_192)
  let count = unsafe read(file, &buffer, buffer.count)
  let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    .flatMap { Int($0) }
  #else
  return nil
  #endif
}

/// How many entries a folder has; `nil` where there is none.
func count(in folder: String) -> Int? {
  guard let stream = unsafe opendir(folder) else { return nil }
  defer { unsafe closedir(stream) }
  var count = 0
  while unsafe readdir(stream) != nil { count += 1 }
  return count
}

/// Makes a folder of its own.
func makeFolder() throws -> String {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "soaktest.\(UUID().uuidString)"
  )
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder.path
}

/// Removes a folder and what is in it.
func removeFolder(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }
