// Where the arrays of large tables live. A growing table frees a block that is too small for its next
// one, and an allocator may keep such blocks: a table of a million entries then holds half of its
// size in holes. So large blocks are mapped where the allocator would not do it by itself: they go
// back to the system when they are freed, and of a new one only what is touched takes memory. Very
// large ones ask for huge pages: a read at random misses the processor's translations of small ones.
//
// Invariant: a block is freed with the number of bytes that it was allocated with, which tells how.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Blocks of raw memory.
@usableFromInline
enum RawMemory {
  /// Stands for a block of no bytes: no null, and aligned as any block may have to be.
  private static var absentAddress: UInt { 4_096 }

  /// From how many bytes on a block is mapped, if at all.
  #if canImport(Glibc) || canImport(Musl) || canImport(Android)
  private static let mappedBytes = 128 * 1_024
  #else
  private static let mappedBytes = Int.max
  #endif

  #if canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// From how many bytes on a block asks for huge pages; it may hold one that is hardly used.
  private static let hugeBytes = 4 * 1_024 * 1_024
  #endif

  /// Allocates a block.
  ///
  /// One of no bytes takes no memory, so that a table that holds nothing costs little; its address is
  /// never used.
  ///
  /// - Parameters:
  ///   - byteCount: its size.
  ///   - alignment: a power of two, at most that of a page.
  /// - Returns: the block, and whether all its bytes are zero.
  @usableFromInline
  static func allocate(
    byteCount: Int,
    alignment: Int
  ) -> (base: UnsafeMutableRawPointer, isZero: Bool) {
    if byteCount == 0, let absent = unsafe UnsafeMutableRawPointer(bitPattern: absentAddress) {
      return unsafe (absent, false)
    }
    #if canImport(Glibc) || canImport(Musl) || canImport(Android)
    if byteCount >= mappedBytes {
      let mapped = unsafe mmap(
        nil,
        byteCount,
        PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS,
        -1,
        0
      )
      guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
        preconditionFailure("out of memory: \(byteCount) bytes cannot be mapped")
      }
      if byteCount >= hugeBytes {
        // A wish: where there is none, or none is free, small pages do.
        _ = unsafe madvise(mapped, byteCount, MADV_HUGEPAGE)
      }
      return unsafe (mapped, true)
    }
    #endif
    return (.allocate(byteCount: byteCount, alignment: alignment), false)
  }

  /// Frees a block.
  ///
  /// - Parameters:
  ///   - base: the block.
  ///   - byteCount: the size that it was allocated with.
  @usableFromInline
  static func deallocate(_ base: UnsafeMutableRawPointer, byteCount: Int) {
    if byteCount == 0 { return }
    #if canImport(Glibc) || canImport(Musl) || canImport(Android)
    if byteCount >= mappedBytes {
      // It may fail for want of mappings, which leaves a hole; never for a block that was mapped.
      let isFreed = unsafe munmap(base, byteCount) == 0
      assert(isFreed || errno != EINVAL, "a block is freed with another size than its own")
      return
    }
    #endif
    unsafe base.deallocate()
  }
}
