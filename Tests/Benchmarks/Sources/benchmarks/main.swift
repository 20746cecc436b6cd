// benchmarks [--json] [--filter PREFIX] [--gates]
//
// Prints one line a benchmark: value, baseline, and their ratio. `--gates` fails when a figure is
// above what the page on performance promises.
import AllocationCounter
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

var arguments = CommandLine.arguments.dropFirst()
var printsJSON = false
var isGate = false
var filter = ""
while let argument = arguments.popFirst() {
  switch argument {
  case "--json": printsJSON = true
  case "--gates": isGate = true
  case "--debug": break
  case "--filter": filter = arguments.popFirst() ?? ""
  default:
    complain("usage: benchmarks [--json] [--filter PREFIX] [--gates]")
    exit(2)
  }
}

/// The most that a gate allows: ratios, and allocations per hit.
let limits: [String: Double] = [
  "hit.async.method": 1.3, "hit.memoized.1": 1.3, "mallocs.hit.async": 0,
]
/// The most milliseconds that a gate allows.
let wallLimits: [String: Double] = ["flight.join.100k": 1_000]

let hits = try HitBenchmarks(Workload())
try await hits.warm()
let all: [(name: String, run: () async throws -> Measurement)] = [
  ("hit.sync.int", { try await hits.syncInt() }),
  ("hit.async.method", { try await hits.asyncMethod() }),
  ("hit.async.cached", { try await hits.asyncCached() }),
  ("hit.memoized.1", { try await hits.memoizedOne() }),
  ("mallocs.hit.async", { try await hits.allocations() }),
  ("flight.join.100k", { try await FlightBenchmark().run() }),
]

var failures: [String] = []
for (name, run) in all where name.hasPrefix(filter) {
  if name.hasPrefix("mallocs") && !allocation_counter_works() {
    complain("skipped \(name): allocations are counted with glibc only")
    continue
  }
  let measurement = try await run()
  print(printsJSON ? measurement.json : measurement.row)
  if let limit = limits[name], measurement.ratio ?? measurement.value > limit {
    failures.append("\(name) is \(measurement.ratio ?? measurement.value), at most \(limit)")
  }
  if let limit = wallLimits[name], measurement.value > limit {
    failures.append("\(name) took \(measurement.value) ms, at most \(limit)")
  }
}
if isGate && !failures.isEmpty {
  for failure in failures { complain("gate: \(failure)") }
  exit(1)
}
