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
    var digest = StableDigest()
    var count = (lines: 0, words: 0, bytes: 0)
    var isInWord = false
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file.path))
      // A piece at a time: many files are read at once, and each may be larger than the memory.
      while let piece = try handle.read(upToCount: 1 << 20).map([UInt8].init), !piece.isEmpty {
        for byte in piece {
          let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
          if byte == 0x0A { count.lines += 1 }
          if !isSpace && !isInWord { count.words += 1 }
          isInWord = !isSpace
        }
        digest.update(piece)
        count.bytes += piece.count
      }
    } catch {
      throw Complaint("\(file.path) cannot be read")
    }
    sha256 = Self.hexadecimal(digest.finalize())
    (lines, words, bytes) = count
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
  }
}
