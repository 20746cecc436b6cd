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

/// Makes a folder of its own below another one.
func makeTemporaryFolder(in parent: String) -> String? {
  var template = Array("\(parent)/modeltest-XXXXXX".utf8CString)
  return unsafe template.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress, let path = unsafe mkdtemp(base) else { return nil }
    return unsafe String(cString: path)
  }
}

/// Removes a folder with everything in it.
func removeFolder(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
