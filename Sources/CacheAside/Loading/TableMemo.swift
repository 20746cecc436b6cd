// Tables that were looked up before, by number, found without a lock.
//
// Insert-only open addressing over pairs of atomic words, in a block that is replaced by a larger one
// when it is half full. Only whoever holds the lock writes: a pair's address first and its number
// after it, so that a reader sees a whole pair or none. A reader may be in an older block, which knows
// less: then it goes to the registry, which is always right. Blocks stay until the memo goes; each is
// twice as large as the one before.
//
// `@unchecked Sendable`: the blocks are raw memory that is made under the lock and given back in
// `deinit`; what is in them is atomic. The addresses are of objects that the registry holds as long as
// it lives.
public import Synchronization

/// A registry's short memory.
@safe @usableFromInline
final class TableMemo: @unchecked Sendable {
  @usableFromInline typealias Words = UnsafeMutablePointer<Atomic<UInt>>

  /// The newest block: first how far a hash is shifted for a place, then numbers and addresses in
  /// turn; zero is none.
  @usableFromInline let block: Atomic<UInt>

  private struct Blocks {
    /// As addresses, the newest last, with the number of pairs.
    var all: [(address: UInt, pairs: Int)] = []
    var used = 0
  }

  private let blocks: Lock<Blocks>

  private static let numbers = Lock<[TableRegistry.Identity: UInt]>([:])

  init() {
    let first = Self.makeBlock(pairs: 8)
    block = Atomic(first)
    blocks = Lock(Blocks(all: [(first, 8)]))
  }

  deinit {
    for block in blocks.withLock({ $0.all }) {
      guard let words = unsafe Words(bitPattern: block.address) else { continue }
      unsafe words.deinitialize(count: 2 * block.pairs + 1)
      unsafe words.deallocate()
    }
  }

  private static func makeBlock(pairs: Int) -> UInt {
    let words = Words.allocate(capacity: 2 * pairs + 1)
    unsafe words.initialize(to: Atomic(UInt(64 - pairs.trailingZeroBitCount)))
    for index in 1...2 * pairs { unsafe (words + index).initialize(to: Atomic(0)) }
    return UInt(bitPattern: words)
  }

  /// The number of all functions with a name and types; odd, so that it is no address of a type.
  ///
  /// A function that is made anew for each request has that of those before it. Numbers are kept for
  /// good, as names in a program are.
  static func number(of identity: TableRegistry.Identity) -> UInt {
    numbers.withLock { numbers in
      if let known = numbers[identity] { return known }
      let number = UInt(2 * numbers.count + 1)
      numbers[identity] = number
      return number
    }
  }

  /// The number of a type.
  @inlinable @inline(__always)
  static func identity<Value>(of type: Value.Type) -> UInt {
    UInt(bitPattern: ObjectIdentifier(type))
  }

  /// What is known under a number, as long as the registry lives.
  @inlinable
  func find<Object: AnyObject>(_ identity: UInt, as type: Object.Type) -> Unmanaged<Object>? {
    guard let words = unsafe Words(bitPattern: block.load(ordering: .acquiring)) else {
      return nil
    }
    let shift = unsafe words.pointee.load(ordering: .relaxed)
    var place = Self.home(identity, shift)
    while true {
      let found = unsafe words[2 &* place &+ 1].load(ordering: .acquiring)
      if found == identity {
        let address = unsafe words[2 &* place &+ 2].load(ordering: .relaxed)
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        return unsafe Unmanaged.fromOpaque(pointer)
      }
      if found == 0 { return nil }
      place = Self.following(place, shift)
    }
  }

  /// Remembers an object that the registry holds; of two under one number, the first.
  func insert(_ identity: UInt, _ object: some AnyObject) {
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    blocks.withLock { blocks in
      guard let newest = blocks.all.last else { return }
      var (words, pairs) = (newest.address, newest.pairs)
      if 2 * (blocks.used + 1) > pairs {
        let larger = Self.makeBlock(pairs: 2 * pairs)
        Self.copy(from: words, pairs, to: larger)
        (words, pairs) = (larger, 2 * pairs)
        blocks.all.append((words, pairs))
        block.store(words, ordering: .releasing)
      }
      if Self.place(identity, address, in: words) { blocks.used += 1 }
    }
  }

  private static func copy(from old: UInt, _ pairs: Int, to new: UInt) {
    guard let words = unsafe Words(bitPattern: old) else { return }
    for place in 0..<pairs {
      let identity = unsafe words[2 * place + 1].load(ordering: .relaxed)
      let address = unsafe words[2 * place + 2].load(ordering: .relaxed)
      if identity != 0 { _ = Self.place(identity, address, in: new) }
    }
  }

  /// Puts a pair into a block that has room; tells whether its number is new there.
  private static func place(_ identity: UInt, _ address: UInt, in block: UInt) -> Bool {
    guard let words = unsafe Words(bitPattern: block) else { return false }
    let shift = unsafe words.pointee.load(ordering: .relaxed)
    var place = home(identity, shift)
    while true {
      let found = unsafe words[2 * place + 1].load(ordering: .relaxed)
      if found == identity { return false }
      if found == 0 {
        unsafe words[2 * place + 2].store(address, ordering: .relaxed)
        unsafe words[2 * place + 1].store(identity, ordering: .releasing)
        return true
      }
      place = following(place, shift)
    }
  }

  @inlinable @inline(__always)
  static func home(_ identity: UInt, _ shift: UInt) -> Int {
    Int(truncatingIfNeeded: (UInt64(identity) &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(shift))
  }

  @inlinable @inline(__always)
  static func following(_ place: Int, _ shift: UInt) -> Int {
    (place &+ 1) & ((1 &<< (64 &- Int(bitPattern: shift))) &- 1)
  }
}
