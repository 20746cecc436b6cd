/// What a memoized function decides for all its calls.
struct MemoizedTerms<Value: Sendable>: Sendable {
  var policy: CachePolicy
  var storing: (@Sendable (Value) -> Bool)?
  var fallback: Value?
}
