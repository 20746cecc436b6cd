/// A producer in one of its forms.
///
/// The forms are kept apart until the producer runs, so that a caller who joins another's load has
/// made no closure around its own.
@usableFromInline
enum Producer<Value: Sendable>: Sendable {
  case plain(@concurrent @Sendable () async throws -> Value)
  case deciding(@concurrent @Sendable () async throws -> Produced<Value>)
  case conditional(@concurrent @Sendable (Previous<Value>?) async throws -> Produced<Value>)

  /// Whether it asks for the value that was there before.
  var usesPrevious: Bool { if case .conditional = self { true } else { false } }

  /// Runs it.
  ///
  /// - Parameter previous: the entry that was there before, for a producer that asks for it.
  /// - Returns: its answer.
  /// - Throws: its error.
  @concurrent
  func callAsFunction(previous: PreviousEntry<Value>?) async throws -> ProducerAnswer<Value> {
    if case .plain(let produce) = self { return ProducerAnswer(try await produce()) }
    return try await decide(previous)
  }

  // A function of its own, whose room the frame of a plain producer does not keep.
  @concurrent @inline(never)
  private func decide(_ previous: PreviousEntry<Value>?) async throws -> ProducerAnswer<Value> {
    switch self {
    case .plain(let produce): ProducerAnswer(try await produce())
    case .deciding(let produce): ProducerAnswer(produced: try await produce())
    case .conditional(let produce):
      ProducerAnswer(produced: try await produce(previous?.previous))
    }
  }
}
