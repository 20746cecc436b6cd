// quickstart PATH: digests and counts every file below a path, through a cache.
//
// Eight callers ask for each file at once, as eight parts of a program would; the cache runs the
// work once per file and lifetime, and a second run finds everything on disk.
import CacheAside

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
  printError("quickstart: \(error)")
  printError(Options.usage)
  exit(1)
}

if options.showsHelp {
  print(Options.usage)
  exit(0)
}

do {
  let report = try await Survey(options).run()
  report.complain()
  print(options.printsJSON ? report.json : report.table)
  // A file that could not be read is counted and named; it does not fail the run.
  exit(0)
} catch {
  printError("quickstart: \(error)")
  exit(1)
}
