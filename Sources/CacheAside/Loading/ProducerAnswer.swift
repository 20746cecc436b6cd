/// What a producer answered, in one object: the frames of a load that wait for it keep room for one
/// word, whatever the type of the value.
final class ProducerAnswer<Value: Sendable>: Sendable {
  let produced: Produced<Value>

  init(produced: Produced<Value>) { self.produced = produced }

  /// The answer of a producer that decides nothing.
  @inline(never)
  init(_ value: Value) { produced = Produced(value) }

  /// The value of an answer that renews nothing.
  ///
  /// - Throws: `CacheError` with the code `unexpectedNotModified`.
  func made(for key: @autoclosure () -> CacheKey? = nil) throws -> Value {
    try produced.made(for: key())
  }
}
