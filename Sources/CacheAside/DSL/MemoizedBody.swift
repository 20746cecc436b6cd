/// What a memoized function runs: behind a reference, so that the callable is small to copy.
@usableFromInline
final class MemoizedBody<Argument: Sendable, Value: Sendable>: Sendable {
  /// The producer of a call.
  let producer: @Sendable (Argument) -> Producer<Value>
  let condition: (@Sendable (Argument) -> Bool)?

  @usableFromInline
  init(
    producer: @escaping @Sendable (Argument) -> Producer<Value>,
    condition: (@Sendable (Argument) -> Bool)? = nil
  ) {
    self.producer = producer
    self.condition = condition
  }

  /// The same function under a condition.
  func when(_ holds: @escaping @Sendable (Argument) -> Bool) -> MemoizedBody {
    MemoizedBody(producer: producer, condition: holds)
  }

  /// The mode of a call: `.bypass` where the condition does not hold.
  func mode(_ mode: CacheMode?, for argument: Argument) -> CacheMode? {
    guard let condition, !condition(argument) else { return mode }
    return .bypass
  }
}
