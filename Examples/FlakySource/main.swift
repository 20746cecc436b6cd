// flaky-source: readers of a source that becomes slow, is killed and comes back.
//
// 64 readers ask for 48 keys all the time, through a cache in memory and on disk whose values live for
// a second. The source is a small HTTP server. What the readers get is counted by phase; the example
// fails when one of them sees an error within the stale window, or when the source that is down is
// asked more often than `retryAfterFailure` allows.
import CacheAside
import Foundation

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
  printError("flaky-source: \(error)")
  printError(Options.usage)
  exit(1)
}

if options.showsHelp {
  print(Options.usage)
  exit(0)
}

do {
  let cleanup = try Cleanup()
  let signals = cleanup.runOnInterrupt()
  let result: Result<Report, any Error>
  do { result = .success(try await Drill(options, cleanup).run()) } catch {
    result = .failure(error)
  }
  cleanup.run()
  for signal in signals { signal.cancel() }
  let report = try result.get()
  print(report.table)
  print()
  for check in report.checks {
    print(check.isKept ? "kept    \(check.text)" : "BROKEN  \(check.text)")
  }
  for (message, count) in report.tally.messages.prefix(5) {
    printError("\(count) times: \(message)")
  }
  if report.checks.contains(where: { !$0.isKept }) {
    throw Complaint("a promise was not kept; see above")
  }
  exit(0)
} catch {
  printError("flaky-source: \(error)")
  exit(1)
}
