/// The cached value of a key, and then the value of a new load when it differs.
///
/// Made by `updates` of a cache or a memoized function. Each iteration asks anew; it yields at most
/// two values.
public struct CacheUpdates<Value: Sendable>: AsyncSequence, Sendable {
  private let steps: UpdateSteps<Value>

  init(_ steps: UpdateSteps<Value>) { self.steps = steps }

  /// Begins an iteration; nothing is read yet.
  ///
  /// - Returns: the iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(steps) }
}
