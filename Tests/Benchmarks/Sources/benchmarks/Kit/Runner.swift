/// Takes rows one after another, prints them, and holds them against their limits.
struct Runner {
  let options: Options
  let benchmarks: [Benchmark]
  private let gates: Gates?
  private let foreign: [ForeignRow]
  private var section: Substring = ""
  private var failures: [String] = []

  /// Chooses the rows; throws when there are none, or when limits or rows cannot be read.
  init(_ options: Options, _ catalogue: [Benchmark]) throws {
    self.options = options
    gates = try options.gates.map { try Gates(contentsOf: $0) }
    foreign = try options.rows.map { try ForeignRow.read($0) } ?? []
    let gated = gates?.names(startingWith: options.filter)
    benchmarks = catalogue.filter {
      $0.name.hasPrefix(options.filter) && gated?.contains($0.name) != false
    }
    if let gated {
      let known = Set(catalogue.map(\.name)).union(foreign.map(\.name))
      let unknown = gated.subtracting(known).sorted()
      if !unknown.isEmpty {
        throw BenchmarkFailure("no row has the name of a limit: \(unknown.joined(separator: ", "))")
      }
      if gated.isEmpty { throw BenchmarkFailure("no limit starts with \(options.filter)") }
    } else if benchmarks.isEmpty {
      throw BenchmarkFailure("no row starts with \(options.filter)")
    }
  }

  /// Takes all rows.
  ///
  /// - Returns: whether all could be taken and no limit was exceeded.
  mutating func run() async -> Bool {
    for (index, benchmark) in benchmarks.enumerated() {
      Progress.show("\(index + 1) of \(benchmarks.count): \(benchmark.name)")
      do {
        try await take(benchmark)
      } catch let skip as BenchmarkSkip {
        complain("skipped \(benchmark.name): \(skip.reason)")
      } catch {
        failures.append("\(benchmark.name) could not be taken: \(error)")
      }
    }
    Progress.erase()
    judgeForeign()
    for failure in failures { complain("failed: \(failure)") }
    return failures.isEmpty
  }

  private mutating func take(_ benchmark: Benchmark) async throws {
    let measurement = try await benchmark.run()
    report(measurement, in: benchmark.section)
    let complaint = gates?.complaint(
      measurement.name,
      value: measurement.value,
      ratio: measurement.ratio
    )
    if let complaint { failures.append(complaint) }
  }

  private mutating func report(_ measurement: Measurement, in section: Substring) {
    Progress.erase()
    if options.printsJSON { return show(measurement.json) }
    if section != self.section {
      if !self.section.isEmpty { show("") }
      show(Measurement.header(section))
      self.section = section
    }
    show(measurement.row)
  }

  private mutating func judgeForeign() {
    guard let gates else { return }
    for row in foreign where row.name.hasPrefix(options.filter) {
      if let reason = row.skipped {
        complain("skipped \(row.name): \(reason)")
      } else if let value = row.value {
        let complaint = gates.complaint(row.name, value: value, ratio: row.ratio)
        if let complaint { failures.append(complaint) }
      }
    }
  }
}
