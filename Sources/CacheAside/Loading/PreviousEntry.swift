/// The entry that a conditional producer renews.
struct PreviousEntry<Value: Sendable>: Sendable {
  let previous: Previous<Value>
  let tags: [Tag]
  /// Whether memory keeps it when it needs room.
  var isPinned = false
  /// Its record, if it was read from a slower tier.
  let record: CacheEntry?
}
