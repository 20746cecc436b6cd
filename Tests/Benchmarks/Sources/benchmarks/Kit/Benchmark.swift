/// One row of the output: its name, and how its figure is taken.
///
/// `run` throws ``BenchmarkSkip`` where the row cannot be taken here; anything else it throws is a
/// failure.
struct Benchmark {
  let name: String
  let run: () async throws -> Measurement

  /// What rows are grouped by: the first word of the name.
  var section: Substring { name.prefix { $0 != "." } }
}

struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The reason why a row cannot be taken on this machine.
struct BenchmarkSkip: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
