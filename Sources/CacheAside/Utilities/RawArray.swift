// A fixed-size block of plain elements in raw memory: the parallel arrays of a table.
//
// Invariant: every element is initialised. An absent array has no elements and no memory.
// Indices come from the owner's own bookkeeping; they are checked in debug builds only.

/// An owned block of trivial elements.
@safe @frozen @usableFromInline
struct RawArray<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var count: Int

  /// Makes a block of equal elements, aligned to a cache line if it is asked for.
  @inlinable
  init(repeating element: Element, count: Int, alignment: Int = MemoryLayout<Element>.alignment) {
    unsafe self.init(copying: nil, 0, filling: element, count: count, alignment: alignment)
  }

  @inlinable
  init(
    copying others: UnsafeMutablePointer<Element>?,
    _ copied: Int,
    filling element: Element,
    count: Int,
    alignment: Int
  ) {
    let memory = unsafe RawMemory.allocate(byteCount: Self.bytes(count), alignment: alignment)
    unsafe base = memory.base.bindMemory(to: Element.self, capacity: count)
    self.count = count
    if let others = unsafe others { unsafe base.initialize(from: others, count: copied) }
    // Zeros that are there already stay untouched, and take no memory until they are used.
    let isZero =
      unsafe memory.isZero && withUnsafeBytes(of: element) { unsafe $0.allSatisfy { $0 == 0 } }
    if !isZero { unsafe (base + copied).initialize(repeating: element, count: count &- copied) }
  }

  @inlinable deinit { unsafe RawMemory.deallocate(base, byteCount: Self.bytes(count)) }

  @inlinable
  static func bytes(_ count: Int) -> Int { count * MemoryLayout<Element>.stride }

  @inlinable
  var isEmpty: Bool { count == 0 }

  @inlinable
  subscript(index: Int) -> Element {
    @inline(__always) get {
      assert(index >= 0 && index < count)
      return unsafe base[index]
    }
    @inline(__always) set {
      assert(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  /// A block of another size with the same elements in front.
  func resized(to newCount: Int, filling element: Element) -> RawArray {
    unsafe RawArray(
      copying: base,
      min(count, newCount),
      filling: element,
      count: newCount,
      alignment: MemoryLayout<Element>.alignment
    )
  }

  /// Sets every element.
  func fill(_ element: Element) {
    unsafe base.update(repeating: element, count: count)
  }
}
