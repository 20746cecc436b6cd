/// A producer that counts its runs and answers each by a closure of the test.
///
/// ```swift
/// let producer = CountingProducer { run in "user \(run)" }
/// _ = try await cached(key: "user") { try await producer() }
/// #expect(producer.calls == 1)
/// ```
public final class CountingProducer<Value: Sendable>: Sendable {
  private let answer: @Sendable (Int) async throws -> Value
  private let tally = Tally()

  /// Makes a producer.
  ///
  /// - Parameter answer: gives the value of a run, or throws; its argument is the number of the
  ///   run, which starts at 1.
  public init(_ answer: @escaping @Sendable (_ run: Int) async throws -> Value) {
    self.answer = answer
  }

  /// A producer that always gives the same value.
  ///
  /// - Parameter value: the value.
  /// - Returns: the producer.
  public static func returning(_ value: Value) -> CountingProducer {
    CountingProducer { _ in value }
  }

  /// A producer that always throws.
  ///
  /// - Parameter error: what it throws.
  /// - Returns: the producer.
  public static func failing(_ error: any Error) -> CountingProducer {
    CountingProducer { _ in throw error }
  }

  /// A producer that never answers; a run ends only by cancellation, with `CancellationError`.
  ///
  /// - Returns: the producer.
  public static func hanging() -> CountingProducer {
    let gate = GatedProducer<Value>()
    return CountingProducer { _ in try await gate() }
  }

  /// How often it was run.
  public var calls: Int { tally.count }

  /// Runs the producer once.
  ///
  /// - Returns: the closure's value.
  /// - Throws: the closure's error.
  public func callAsFunction() async throws -> Value {
    try await answer(tally.increment())
  }

  /// Suspends until the producer was run a number of times.
  ///
  /// - Parameter count: how many runs, the unfinished ones included.
  /// - Throws: `CancellationError` as soon as the calling task is cancelled.
  public func waitForRuns(_ count: Int) async throws { try await tally.wait(for: count) }
}
