/// One row of the output: its name, and how its figure is taken.
struct Benchmark {
  let name: String
  let run: () async throws -> Measurement
}

struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
