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

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
  complain("\(error)")
  exit(2)
}

/// The most that a gate allows: allocations a hit, ratios to the baseline, milliseconds.
let limits: [String: Double] = [
  "mallocs.hit.sync.int": 0, "mallocs.hit.async.method": 0, "mallocs.hit.memoized.1": 0,
  "mallocs.hit.async.cached": 0, "hit.async.method": 1.3, "hit.async.cached": 1.3,
  "hit.memoized.1": 1.3, "flight.join.100k": 1_000,
]

/// How often a figure that is above its limit is taken.
///
/// On a busy machine the best of three times says what the code costs; a count is what it is.
func attempts(_ name: String) -> Int { name.hasPrefix("mallocs") ? 1 : 3 }

/// Below this share of one core, a benchmark's times say more about the machine than about us.
let leastShare = 0.8

/// Runs a benchmark; tells how much of a core it got.
func timed(_ run: () async throws -> Measurement) async throws -> (Measurement, share: Double) {
  let clock = ContinuousClock()
  let (start, spent) = (clock.now, processNanoseconds())
  let measurement = try await run()
  let elapsed = (clock.now - start) / .nanoseconds(1)
  return (measurement, Double(processNanoseconds() - spent) / elapsed)
}

var failures: [String] = []
for benchmark in try catalogue(options) where benchmark.name.hasPrefix(options.filter) {
  let name = benchmark.name
  if name.hasPrefix("mallocs") && !allocation_counter_works() {
    complain("skipped \(name): allocations are counted with glibc only")
    continue
  }
  var most = 0.0
  for attempt in 1...attempts(name) {
    let measurement: Measurement
    let share: Double
    do {
      (measurement, share) = try await timed(benchmark.run)
    } catch let skip as BenchmarkSkip {
      complain("skipped \(name): \(skip.reason)")
      break
    }
    most = max(most, share)
    print(options.printsJSON ? measurement.json : measurement.row)
    guard options.isGate, let limit = limits[name], measurement.gated > limit else { break }
    guard attempt == attempts(name) else { continue }
    let text = "\(name) is \(measurement.gated) \(measurement.gatedUnit), at most \(limit)"
    if attempts(name) > 1 && most < leastShare {
      complain("not judged, with \(Int(most * 100)) % of a core: \(text)")
    } else {
      failures.append(text)
    }
  }
}
if !failures.isEmpty {
  for failure in failures { complain("gate: \(failure)") }
  exit(1)
}
