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
}
