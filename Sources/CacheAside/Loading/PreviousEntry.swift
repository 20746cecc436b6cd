/// The entry that a conditional producer renews.
final class PreviousEntry<Value: Sendable>: Sendable {
  let previous: Previous<Value>
  let tags: [Tag]
  /// Whether memory keeps it when it needs room.
  let isPinned: Bool
  /// Its record, if it was read from a slower tier.
  let record: CacheEntry?

  init(previous: Previous<Value>, tags: [Tag], isPinned: Bool = false, record: CacheEntry?) {
    self.previous = previous
    self.tags = tags
    self.isPinned = isPinned
    self.record = record
  }
}
