/// Keys and values that left a memory store and are waiting to be released.
///
/// Their `deinit` may run any code, so they must be dropped outside every lock. When this value
/// goes, so do they, and the store's removal listener is told. `consume` it to choose the moment.
@frozen @usableFromInline
struct Displaced<Key: Hashable & Sendable, Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline var first: MemorySlot<Key, Value>?
  @usableFromInline var others: [MemorySlot<Key, Value>] = []
  @usableFromInline let listening: MemoryStore<Key, Value>?
  @usableFromInline let shard: Int
  @usableFromInline var hasNotices = false
  /// How many removals lead here, each told to a listener that caused the next.
  @usableFromInline let generation: Int

  @inlinable
  init(from shard: Int, listening: MemoryStore<Key, Value>?) {
    first = nil
    self.shard = shard
    self.listening = listening
    generation = listening == nil ? 0 : ListenerCall.generation
  }

  @inlinable deinit { if hasNotices { listening?.tellListener(shard) } }

  @inlinable
  mutating func append(_ slot: MemorySlot<Key, Value>) {
    if first == nil { first = slot } else { others.append(slot) }
  }
}
