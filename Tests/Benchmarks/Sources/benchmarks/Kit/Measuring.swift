#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Nanoseconds of CPU time of this process: steadier than wall time on a shared machine.
func processNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
}

/// Where results go, so that nothing is optimised away.
@inline(never)
func sink(_ value: Int) {
  if value == Int.min + 7 { print(value) }
}

/// Two bodies measured in turns: baseline, subject, baseline, subject, and so on.
///
/// Each body gets a number of operations and returns something that depends on all of them. One
/// pair warms up and is not counted. What is to be done before each pass is not measured.
func interleaved(
  pairs: Int = 9,
  operations: Int,
  beforeBaseline: () async throws -> Void = {},
  beforeSubject: () async throws -> Void = {},
  baseline: (Int) async throws -> Int,
  subject: (Int) async throws -> Int
) async rethrows -> (value: Double, baseline: Double, ratio: Double) {
  func pass(
    _ prepare: () async throws -> Void,
    _ body: (Int) async throws -> Int
  ) async rethrows -> Double {
    try await prepare()
    let start = processNanoseconds()
    sink(try await body(operations))
    return Double(processNanoseconds() - start) / Double(operations)
  }
  return try await inPairs(
    pairs,
    baseline: { try await pass(beforeBaseline, baseline) },
    subject: { try await pass(beforeSubject, subject) }
  )
}

/// Two figures taken in turns: medians, and the median of the ratios of each pair.
func inPairs(
  _ pairs: Int = 9,
  baseline: () async throws -> Double,
  subject: () async throws -> Double
) async rethrows -> (value: Double, baseline: Double, ratio: Double) {
  _ = try await baseline()
  _ = try await subject()
  var values: [Double] = []
  var baselines: [Double] = []
  for _ in 0..<pairs {
    baselines.append(try await baseline())
    values.append(try await subject())
  }
  let ratios = zip(values, baselines).map { $0 / $1 }
  return (median(values), median(baselines), median(ratios))
}

/// Writes a line to standard error.
func complain(_ line: String) { write(Progress.erasing + line + "\n", to: 2) }

/// Writes a line to standard output, at once.
func show(_ line: String) { write(line + "\n", to: 1) }

func write(_ text: String, to file: Int32) {
  let bytes = Array(text.utf8)
  _ = write(file, bytes, bytes.count)
}
