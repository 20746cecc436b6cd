/// The hit ratios of the store on the recorded traces, each by the reference's, and what they come
/// to: `hitratio.mean`, `hitratio.mean.4t`, and how far the worst cells are below the reference.
func hitRatioBenchmarks(_ options: Options) throws -> [Benchmark] {
  let ratios = try HitRatios(cells: HitRatioReference.cells(), folder: options.traces)
  let cells = ratios.cells.map { cell in
    Benchmark(name: ratios.name(of: cell)) { try ratios.measure(cell) }
  }
  return cells + [
    Benchmark(name: "hitratio.worst.unmarked") { try ratios.worst(isMarked: false) },
    Benchmark(name: "hitratio.worst.marked") { try ratios.worst(isMarked: true) },
    Benchmark(name: "hitratio.mean") { try ratios.mean() },
    Benchmark(name: "hitratio.mean.4t") {
      try await ratios.mean("hitratio.mean.4t", threads: 4, lead: 32)
    },
    Benchmark(name: "hitratio.mean.4t.lead1000") {
      try await ratios.mean("hitratio.mean.4t.lead1000", threads: 4, lead: 1_000)
    },
  ]
}

/// Takes each cell once, whichever rows ask for it.
final class HitRatios {
  let cells: [HitRatioCell]
  private let folder: String?
  private var taken: [String: Double] = [:]
  private var current: (trace: String, replay: Replay)?

  init(cells: [HitRatioCell], folder: String?) {
    self.cells = cells
    self.folder = folder
  }

  func name(of cell: HitRatioCell) -> String { "hitratio.\(cell.trace).\(cell.size)" }

  func measure(_ cell: HitRatioCell) throws -> Measurement {
    let value = try ratio(of: cell)
    let distance = value - cell.lazyTinyLFU
    if abs(distance) > cell.tolerance {
      let side = distance < 0 ? "below" : "above"
      complain("\(name(of: cell)) is more than \(cell.tolerance) points \(side) the reference")
    }
    return percent(name(of: cell), value, cell.lazyTinyLFU)
  }

  /// How far the worst cell is below the reference in points, by what is tolerated.
  ///
  /// One seed in some hundred moves a cell by a point. A cell that is beyond what is tolerated is
  /// taken with two more seeds, and the middle one of the three counts.
  func worst(isMarked: Bool) throws -> Measurement {
    let shortfalls = try cells.filter { $0.isMarked == isMarked }.map { cell in
      let shortfall = cell.lazyTinyLFU - (try ratio(of: cell))
      guard shortfall > cell.tolerance else { return shortfall }
      let others = try (0..<2).map { _ in
        cell.lazyTinyLFU - (try replay(of: cell).ratio(countLimit: cell.size))
      }
      complain("\(name(of: cell)) is \(shortfall) points below the reference, then \(others)")
      return median([shortfall] + others)
    }
    return percent(
      isMarked ? "hitratio.worst.marked" : "hitratio.worst.unmarked",
      shortfalls.max() ?? 0,
      isMarked ? 1.5 : 0.5
    )
  }

  func mean() throws -> Measurement {
    // Every trace has the same number of sizes, so the mean of all is that of the traces' means.
    let sum = try cells.reduce(0) { try $0 + ratio(of: $1) }
    return percent("hitratio.mean", sum / Double(cells.count), reference)
  }

  func mean(_ name: String, threads: Int, lead: Int) async throws -> Measurement {
    var sum = 0.0
    for cell in cells {
      sum += try await replay(of: cell).ratio(
        countLimit: cell.size,
        threads: threads,
        lead: lead
      )
    }
    return percent(name, sum / Double(cells.count), reference)
  }

  private var reference: Double {
    cells.reduce(0) { $0 + $1.lazyTinyLFU } / Double(cells.count)
  }

  private func ratio(of cell: HitRatioCell) throws -> Double {
    if let value = taken[name(of: cell)] { return value }
    let value = try replay(of: cell).ratio(countLimit: cell.size)
    taken[name(of: cell)] = value
    return value
  }

  /// The trace of a cell; only the last one is kept.
  private func replay(of cell: HitRatioCell) throws -> Replay {
    if let current, current.trace == cell.trace { return current.replay }
    guard let folder else { throw BenchmarkSkip("--traces names no folder") }
    let replay = Replay(requests: try TraceFile(folder: folder, name: cell.trace).requests())
    current = (cell.trace, replay)
    return replay
  }
}

/// A row in percent, by its baseline.
func percent(_ name: String, _ value: Double, _ baseline: Double) -> Measurement {
  Measurement(
    name: name,
    value: value,
    unit: "percent",
    baseline: baseline,
    ratio: baseline == 0 ? nil : value / baseline
  )
}
