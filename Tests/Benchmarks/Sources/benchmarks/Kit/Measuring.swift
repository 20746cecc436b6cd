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
/// Each body gets a number of operations and returns something that depends on all of them.
func interleaved(
  pairs: Int = 9,
  operations: Int,
  baseline: (Int) async throws -> Int,
  subject: (Int) async throws -> Int
) async rethrows -> (value: Double, baseline: Double, ratio: Double) {
  func pass(_ body: (Int) async throws -> Int) async rethrows -> Double {
    let start = processNanoseconds()
    sink(try await body(operations))
    return Double(processNanoseconds() - start) / Double(operations)
  }
  _ = try await pass(baseline)
  _ = try await pass(subject)
  var values: [Double] = []
  var baselines: [Double] = []
  for _ in 0..<pairs {
    baselines.append(try await pass(baseline))
    values.append(try await pass(subject))
  }
  let ratios = zip(values, baselines).map { $0 / $1 }
  return (median(values), median(baselines), median(ratios))
}

/// Writes a line to standard error.
func complain(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(2, bytes, bytes.count)
}
