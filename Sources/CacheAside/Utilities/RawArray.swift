// A fixed-size block of plain elements in raw memory: the parallel arrays of a table.
//
// Invariant: every element is initialised. An absent array has no elements and one byte of memory.
// Indices come from the owner's own bookkeeping; they are checked in debug builds only.

/// An owned block of trivial elements.
@safe @frozen @usableFromInline
struct RawArray<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var count: Int

  /// Makes a block of equal elements, aligned to a cache line if it is asked for.
  @inlinable
  init(repeating element: Element, count: Int, alignment: Int = MemoryLayout<Element>.alignment) {
    let bytes = max(1, count &* MemoryLayout<Element>.stride)
    let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
    unsafe base = raw.bindMemory(to: Element.self, capacity: count)
    unsafe base.initialize(repeating: element, count: count)
    self.count = count
  }

  @inlinable deinit { unsafe base.deallocate() }

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
    let result = RawArray(repeating: element, count: newCount)
    unsafe result.base.update(from: base, count: min(count, newCount))
    return result
  }

  /// Sets every element.
  func fill(_ element: Element) {
    unsafe base.update(repeating: element, count: count)
  }
}
