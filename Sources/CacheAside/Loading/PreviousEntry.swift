/// The entry that a conditional producer renews.
struct PreviousEntry<Value: Sendable>: Sendable {
  let previous: Previous<Value>
  let tags: [Tag]
  /// Its record, if it was read from a slower tier.
  let record: CacheEntry?
}
