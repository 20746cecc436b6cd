// Tables that were looked up before, by number, found without a lock.
//
// Insert-only open addressing over pairs of atomic words. A pair's number is claimed first and its
// address published after, so that a reader sees a whole pair or none. A memo that is full, or was
// not filled yet, sends its reader to the registry, which is always right.
//
// `@unchecked Sendable`: `words` is raw memory that is written in `init` and `deinit` only; what is
// in it is atomic. The addresses are of objects that the registry holds as long as it lives.
public import Synchronization

/// A registry's short memory.
@safe @usableFromInline
final class TableMemo: @unchecked Sendable {
  /// Numbers in the even places, addresses in the odd ones; zero is none.
  @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>

  @inlinable static var pairCount: Int { 64 }
  @inlinable static var mostProbes: Int { 8 }

  private static let lastIdentity = Atomic<UInt>(1)

  init() {
    unsafe words = .allocate(capacity: 2 * Self.pairCount)
    for index in 0..<2 * Self.pairCount { unsafe (words + index).initialize(to: Atomic(0)) }
  }

  deinit {
    unsafe words.deinitialize(count: 2 * Self.pairCount)
    unsafe words.deallocate()
  }

  /// A number that nobody else has; odd, so that it is no address of a type.
  static func makeIdentity() -> UInt { lastIdentity.add(2, ordering: .relaxed).newValue }

  /// The number of a type.
  @inlinable @inline(__always)
  static func identity<Value>(of type: Value.Type) -> UInt {
    UInt(bitPattern: ObjectIdentifier(type))
  }

  /// What is known under a number, as long as the registry lives.
  @inlinable
  func find<Object: AnyObject>(_ identity: UInt, as type: Object.Type) -> Unmanaged<Object>? {
    var place = Self.home(identity)
    for _ in 0..<Self.mostProbes {
      let found = unsafe words[2 &* place].load(ordering: .acquiring)
      if found == identity {
        let address = unsafe words[2 &* place &+ 1].load(ordering: .acquiring)
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        return unsafe Unmanaged.fromOpaque(pointer)
      }
      if found == 0 { return nil }
      place = (place &+ 1) & (Self.pairCount &- 1)
    }
    return nil
  }

  /// Remembers an object that the registry holds; of two under one number, either.
  func insert(_ identity: UInt, _ object: some AnyObject) {
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    var place = Self.home(identity)
    for _ in 0..<Self.mostProbes {
      let (isFree, found) = unsafe words[2 * place].compareExchange(
        expected: 0,
        desired: identity,
        ordering: .acquiringAndReleasing
      )
      if isFree || found == identity {
        return unsafe words[2 * place + 1].store(address, ordering: .releasing)
      }
      place = (place + 1) & (Self.pairCount - 1)
    }
  }

  @inlinable @inline(__always)
  static func home(_ identity: UInt) -> Int {
    Int(truncatingIfNeeded: (UInt64(identity) &* 0x9E37_79B9_7F4A_7C15) &>> 58)
  }
}
