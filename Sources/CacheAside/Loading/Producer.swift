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
  /// - Parameter previous: the value that was there before; seen by a producer that asks for it.
  /// - Returns: its answer.
  /// - Throws: its error.
  @concurrent
  func callAsFunction(previous: Previous<Value>?) async throws -> Produced<Value> {
    switch self {
    case .plain(let produce): Produced(try await produce())
    case .deciding(let produce): try await produce()
    case .conditional(let produce): try await produce(previous)
    }
  }
}
