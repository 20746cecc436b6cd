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

  /// How often a time that is above its limit is taken.
  ///
  /// On a busy machine the best of three says what the code costs; any other figure is what it is.
  private static let attempts = 3

  /// Below this share of one core, a benchmark's times say more about the machine than about us.
  private static let leastShare = 0.8

  private mutating func take(_ benchmark: Benchmark) async throws {
    var most = 0.0
    for attempt in 1...Self.attempts {
      let (measurement, share) = try await Self.timed(benchmark.run)
      most = max(most, share)
      report(measurement, in: benchmark.section)
      guard
        let complaint = gates?.complaint(
          measurement.name,
          value: measurement.value,
          ratio: measurement.ratio
        )
      else { return }
      guard ["ns", "ms"].contains(measurement.unit) else { return failures.append(complaint) }
      guard attempt == Self.attempts else { continue }
      if most < Self.leastShare {
        complain("not judged, with \(Int(most * 100)) % of a core: \(complaint)")
      } else {
        failures.append(complaint)
      }
    }
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

  /// Runs a benchmark; tells how much of a core it got.
  private static func timed(
    _ run: () async throws -> Measurement
  ) async throws -> (Measurement, share: Double) {
    let clock = ContinuousClock()
    let (start, spent) = (clock.now, processNanoseconds())
    let measurement = try await run()
    let elapsed = (clock.now - start) / .nanoseconds(1)
    return (measurement, Double(processNanoseconds() - spent) / elapsed)
  }
}
