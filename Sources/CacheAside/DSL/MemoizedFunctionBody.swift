/// What a memoized function runs: behind a reference, so that the callable is small to copy.
@usableFromInline
final class MemoizedFunctionBody<Value: Sendable, each Argument: Sendable>: Sendable {
  /// The producer of a call.
  @usableFromInline let producer: @Sendable (repeat each Argument) -> Producer<Value>
  let condition: CallCondition<repeat each Argument>?

  @usableFromInline
  init(
    producer: @escaping @Sendable (repeat each Argument) -> Producer<Value>,
    condition: CallCondition<repeat each Argument>? = nil
  ) {
    self.producer = producer
    self.condition = condition
  }

  /// The same function under a condition.
  func when(_ holds: @escaping @Sendable (repeat each Argument) -> Bool) -> MemoizedFunctionBody {
    MemoizedFunctionBody(producer: producer, condition: CallCondition(holds: holds))
  }

  /// The mode of a call: `.bypass` where the condition does not hold.
  func mode(_ mode: CacheMode?, for argument: repeat each Argument) -> CacheMode? {
    guard let condition, !condition.holds(repeat each argument) else { return mode }
    return .bypass
  }
}
