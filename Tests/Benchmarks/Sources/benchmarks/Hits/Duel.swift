/// A form of a hit and what it is compared with: two passes over the same draws.
struct Duel: Sendable {
  typealias Pass = @Sendable () async throws -> Int

  let operations: Int
  let baseline: Pass
  let subject: Pass

  /// A row of nanoseconds per operation.
  func row(_ name: String) async throws -> Measurement {
    Measurement(
      name,
      "ns",
      try await interleaved(
        operations: operations,
        baseline: { _ in try await baseline() },
        subject: { _ in try await subject() }
      )
    )
  }
}

/// Runs a pass in a task that has neither an actor nor anything else of its caller.
func detached(_ pass: @escaping Duel.Pass) async throws -> Int {
  try await Task.detached(operation: pass).value
}
