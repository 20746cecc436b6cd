// benchmarks: takes the figures of the page on performance. `--help` says how.
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  switch options.special {
  case .help:
    show(Options.usage)
  case .charts(let folder):
    try drawCharts(in: folder)
  case .child(let name):
    guard let job = childJobs()[name] else { throw BenchmarkFailure("there is no job \(name)") }
    show(String(try await job()))
  case nil:
    var runner = try Runner(options, try catalogue(options))
    if await !runner.run() { exit(1) }
  }
} catch {
  complain("\(error)")
  exit(2)
}
