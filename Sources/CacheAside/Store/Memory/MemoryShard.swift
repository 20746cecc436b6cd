// Imported publicly: the lock's methods are used in inlinable code.
public import Synchronization

/// One shard of a memory store: a table and its lock, in a place of its own in raw memory.
@usableFromInline
struct MemoryShard<Key: Hashable & Sendable, Value: Sendable>: ~Copyable {
  @usableFromInline let lock: Lock<MemoryTable<Key, Value>>

  @usableFromInline
  init(_ table: consuming sending MemoryTable<Key, Value>) {
    lock = Lock(table)
  }

  /// The distance of two shards: whole cache lines.
  @inlinable @inline(__always)
  static var stride: Int { (MemoryLayout<MemoryShard>.size &+ 63) & ~63 }
}
