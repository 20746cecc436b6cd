/// A memoized function whose key is derived by a closure; for properties: `Keyed<Int, User>`.
public typealias Keyed<each Argument: Sendable, Value: Sendable> =
  MemoizedFunction<CacheKey, Value, repeat each Argument>
