/// A resident key and value: all that the dense array of a table holds.
@frozen @usableFromInline
struct MemorySlot<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline let key: Key
  @usableFromInline var value: Value

  @inlinable
  init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}
