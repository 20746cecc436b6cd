import CacheAside
import Foundation

/// What is worth knowing of a file's content, and takes time to find out.
struct Digest: Codable, Sendable {
  let sha256: String
  let lines: Int
  let words: Int
  let bytes: Int

  /// Reads a file and computes its digest: the expensive call.
  init(of file: SourceFile) throws {
    let content: Data
    do { content = try Data(contentsOf: URL(fileURLWithPath: file.path)) } catch {
      throw Complaint("\(file.path) cannot be read")
    }
    var lines = 0
    var words = 0
    var isInWord = false
    for byte in content {
      let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
      if byte == 0x0A { lines += 1 }
      if !isSpace && !isInWord { words += 1 }
      isInWord = !isSpace
    }
    sha256 = Self.hexadecimal(StableDigest.hash([UInt8](content)))
    self.lines = lines
    self.words = words
    bytes = content.count
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
  }
}
