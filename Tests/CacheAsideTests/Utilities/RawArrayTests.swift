import Foundation
import Testing

@testable import CacheAside

/// Blocks below and above the size from which on they are mapped.
@Suite struct RawArrayTests {
  private static let counts = [0, 1, 7, 32_767, 32_768, 32_769, 100_000]

  @Test(arguments: counts, [UInt32(0), .max, 1])
  func `every element is what it was filled with`(count: Int, element: UInt32) {
    var array = RawArray(repeating: element, count: count)
    #expect((0..<count).allSatisfy { array[$0] == element })
    for index in 0..<count { array[index] = UInt32(index) }
    for other in Self.counts {
      let resized = array.resized(to: other, filling: element)
      #expect(resized.count == other)
      let isRight = (0..<other).allSatisfy { resized[$0] == ($0 < count ? UInt32($0) : element) }
      #expect(isRight, "\(count) to \(other)")
    }
  }

  @Test func `a mapped block is aligned to a cache line and starts as zeros`() {
    let memory = unsafe RawMemory.allocate(byteCount: 1 << 20, alignment: 64)
    #expect(unsafe UInt(bitPattern: memory.base) % 64 == 0)
    if unsafe memory.isZero {
      let bytes = unsafe UnsafeRawBufferPointer(start: memory.base, count: 1 << 20)
      #expect(unsafe bytes.allSatisfy { $0 == 0 })
    }
    unsafe RawMemory.deallocate(memory.base, byteCount: 1 << 20)
  }

  #if os(Linux) || os(Android)
  private static let systemHasHugePages =
    FileManager.default.fileExists(atPath: "/sys/kernel/mm/transparent_hugepage/enabled")

  @Test(
    .enabled(if: systemHasHugePages, "the system has no transparent huge pages"),
    arguments: [(1 << 20, false), (8 << 20, true)]
  )
  func `only a very large block asks for huge pages`(bytes: Int, asks: Bool) throws {
    let memory = unsafe RawMemory.allocate(byteCount: bytes, alignment: 64)
    defer { unsafe RawMemory.deallocate(memory.base, byteCount: bytes) }
    // Another mapping beside it with the same flags is shown as one with it.
    let address = unsafe UInt(bitPattern: memory.base)
    let flags = try #require(try Self.flagsOfMapping(at: address))
    #expect(flags.contains("hg") == asks)
  }

  /// The flags of the mapping that an address lies in, as the system shows them.
  private static func flagsOfMapping(at address: UInt) throws -> [Substring]? {
    let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    var isInside = false
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if let first = words.first, let dash = first.firstIndex(of: "-"),
        let start = UInt(first[..<dash], radix: 16),
        let end = UInt(first[first.index(after: dash)...], radix: 16)
      {
        isInside = (start..<end).contains(address)
      } else if isInside, words.first == "VmFlags:" {
        return Array(words.dropFirst())
      }
    }
    return nil
  }
  #endif
}
