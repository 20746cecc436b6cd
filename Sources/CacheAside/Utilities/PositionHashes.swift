// Where the 32-bit hashes of positions come from: an array that keeps them, or integer keys in raw
// memory that are cheap to hash again.

/// A borrowed view; valid while the memory it points to is.
@safe @usableFromInline
struct PositionHashes: BitwiseCopyable {
  private let base: UnsafeRawPointer
  private let stride: Int
  private let width: Int
  private let seed: UInt64

  /// Hashes that are kept.
  init(kept: borrowing RawArray<UInt32>) {
    unsafe base = UnsafeRawPointer(kept.base)
    (stride, width, seed) = (4, 0, 0)
  }

  /// Integers of a width at the beginning of entries.
  @usableFromInline
  init(integersAt base: UnsafeRawPointer, stride: Int, width: Int, seed: UInt64) {
    unsafe self.base = base
    self.stride = stride
    self.width = width
    self.seed = seed
  }

  /// The lower half of the hash of the key at a position.
  func hash(at position: Int) -> UInt32 {
    let place = unsafe base + position &* stride
    switch width {
    case 0: return unsafe place.load(as: UInt32.self)
    case 8: return folded(unsafe place.load(as: UInt64.self))
    case 4: return folded(UInt64(unsafe place.load(as: UInt32.self)))
    case 2: return folded(UInt64(unsafe place.load(as: UInt16.self)))
    default: return folded(UInt64(unsafe place.load(as: UInt8.self)))
    }
  }

  private func folded(_ word: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: FoldedHash.fold(word, seed: seed))
  }
}
