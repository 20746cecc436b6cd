/// A callback producer: calls one of its two handlers, once, now or later, on any thread.
///
/// - Parameters:
///   - success: takes the value and its lifetime.
///   - failure: takes the error.
public typealias CacheBlock<Value> = (
  _ success: @escaping @Sendable (Value, Expiry) -> Void,
  _ failure: @escaping @Sendable (any Error) -> Void
) -> Void
