/// Hit ratio against size, a panel a trace.
func drawHitRatios(_ rows: ChartRows, _ folder: String) throws -> Bool {
  let cells = try HitRatioReference.cells()
  guard cells.allSatisfy({ rows["hitratio.\($0.trace).\($0.size)"] != nil }) else { return false }
  let names: [Series] = [
    .bound("optimum (knows the future)"), .plain("LRU"), .reference("Caffeine"),
    .ours("CacheAside"),
  ]
  var figure = Figure(width: 1_080, height: 760)
  figure.text("Hit ratio by cache size on fifteen traces", 20, 28, size: 16, isBold: true)
  figure.legend(names, 20, 54)
  var traces: [String] = []
  for cell in cells where !traces.contains(cell.trace) { traces.append(cell.trace) }
  for (index, trace) in traces.enumerated() {
    let own = cells.filter { $0.trace == trace }
    func line(_ series: Series, _ value: (HitRatioCell) -> Double) -> Series {
      series.with(own.map { (Double($0.size), value($0)) })
    }
    let panel = LinePanel(
      title: trace,
      xLabel: index >= 10 ? "entries (logarithmic)" : "",
      yLabel: index % 5 == 0 ? "hits in %" : "",
      series: [
        line(names[0]) { $0.clairvoyant }, line(names[1]) { $0.lru },
        line(names[2]) { $0.caffeine },
        line(names[3]) { rows["hitratio.\(trace).\($0.size)"]?.value ?? 0 },
      ]
    )
    let (column, row) = (Double(index % 5), Double(index / 5))
    panel.draw(in: &figure, 64 + column * 205, 96 + row * 222, 150, 150)
  }
  try figure.write(to: folder, "hit-ratio")
  return true
}

/// The means over the fifteen traces.
func drawMeans(_ rows: ChartRows, _ folder: String) throws -> Bool {
  guard let mean = rows["hitratio.mean"] else { return false }
  let cells = try HitRatioReference.cells()
  func average(_ value: (HitRatioCell) -> Double) -> Double {
    cells.reduce(0) { $0 + value($1) } / Double(cells.count)
  }
  var bars: [BarChart.Bar] = [
    // The policies without a column of their own, as the reference simulator has them.
    .reference("FIFO", 41.16), .reference("SIEVE", 42.96),
    .reference("LRU", average(\.lru)), .reference("ARC", 45.70), .reference("S3-FIFO", 46.38),
    .reference("LIRS", 46.78), .reference("Caffeine 3.1.8", 46.89),
    .reference("Caffeine, August 2026", average(\.caffeine)),
  ]
  if let threads = rows["hitratio.mean.4t"] {
    bars.append(.ours("CacheAside, four threads", threads.value))
  }
  bars += [
    .ours("CacheAside", mean.value),
    .reference("optimum (knows the future)", average(\.clairvoyant)),
  ]
  try BarChart(
    title: "Mean hit ratio over fifteen traces, five sizes each",
    xLabel: "hits in %, the axis begins at 35",
    bars: bars,
    key: [("measured in this run", "#0b6e4f"), ("reference figure", "#c9c9c9")],
    origin: 35,
    ticks: [35, 40, 45, 50, 55, 60],
    digits: 2
  ).write(to: folder, "hit-ratio-mean")
  return true
}
