/// What a hit costs by what a locked dictionary costs.
func drawHitCosts(_ rows: ChartRows, _ folder: String) throws -> Bool {
  // Ratios to Swift's `Mutex<Dictionary>`; those of other languages are chained through a common
  // prototype, so that only their order can be trusted.
  let others: [(name: String, int: Double, string: Double)] = [
    ("quick_cache 0.7, Rust", 0.74, 0.84), ("Caffeine 2.6.2, warm JVM", 3.9, 1.15),
    ("LRUCache, Swift", 10.8, 3.3), ("moka 0.12, Rust", 18, 4.3),
    ("hyperoslo/Cache, Swift", 23, 6.0), ("NSCache, boxed", 25, 7.0),
  ]
  let peers = [
    ("lock", "NSLock and a dictionary"), ("actor", "actor with a dictionary"),
    ("tasks", "actor, dictionary of tasks"), ("nscache", "NSCache"),
  ]
  var bars: [BarChart.Bar] = []
  for (kind, title) in [("int", "Int keys"), ("string", "String keys of 20 characters")] {
    guard let own = rows["hit.sync.\(kind)"]?.ratio else { continue }
    bars += [.heading(title), .ours("CacheAside, one thread", own)]
    if let two = rows["hit.sync.\(kind).2t"]?.ratio {
      bars.append(.ours("CacheAside, two threads", two))
    }
    let measured = peers.compactMap { peer, name in
      rows["peer.\(peer).\(kind)"]?.ratio.map { BarChart.Bar.measured(name, $0) }
    }
    // What was measured here needs no reference figure.
    let known = others.filter { other in
      !(other.name.hasPrefix("NSCache") && rows["peer.nscache.\(kind)"] != nil)
    }
    bars += measured.sorted { $0.value < $1.value }
    bars += known.map { .reference($0.name, kind == "int" ? $0.int : $0.string) }
      .sorted { $0.value < $1.value }
  }
  guard !bars.isEmpty else { return false }
  try BarChart(
    title: "Cost of a hit, relative to Mutex<Dictionary>; 100,000 keys, Zipf",
    xLabel: "times the cost of a locked dictionary (logarithmic; less is better)",
    bars: bars,
    key: [
      ("this run", "#0b6e4f"), ("others, this run", "#5b7fa6"),
      ("reference figure, another run", "#c9c9c9"),
    ],
    origin: 0.25,
    isLogarithmic: true,
    ticks: [0.25, 0.5, 1, 2, 4, 8, 16, 32],
    digits: 2,
    mark: 1
  ).write(to: folder, "hit-cost")
  return true
}

/// Bytes of memory an entry.
func drawMemory(_ rows: ChartRows, _ folder: String) throws -> Bool {
  var bars: [BarChart.Bar] = []
  for (kind, title) in [("int", "Int to Int"), ("string", "String of 20 characters to Int")] {
    let forms = [("", "unlimited"), (".bounded", "bounded"), (".ttl", "with lifetimes")]
    let own = forms.compactMap { suffix, name in
      rows["memory.\(kind)\(suffix)"].map { BarChart.Bar.ours("CacheAside, \(name)", $0.value) }
    }
    guard !own.isEmpty else { continue }
    bars += [.heading(title)] + own
    if let baseline = rows["memory.\(kind)"]?.baseline {
      bars.append(.measured("Mutex<Dictionary>", baseline))
    }
    let others = [("quick_cache", 51.0, 99.0), ("Caffeine", 123, 163), ("moka", 306, 354)]
    bars += others.map { .reference($0.0, kind == "int" ? $0.1 : $0.2) }
  }
  guard !bars.isEmpty else { return false }
  try BarChart(
    title: "Memory of an entry, a million entries",
    xLabel: "bytes an entry (less is better)",
    bars: bars,
    key: [
      ("this run", "#0b6e4f"), ("others, this run", "#5b7fa6"),
      ("reference figure, another run", "#c9c9c9"),
    ],
    ticks: [0, 100, 200, 300, 400],
    digits: 0
  ).write(to: folder, "memory")
  return true
}

/// How costs grow with the number of entries.
func drawGrowth(_ rows: ChartRows, _ folder: String) throws -> Bool {
  let kinds = [("hit", "hit"), ("insert", "insert into a full cache"), ("fill", "fill")]
  let names: [Series] = [.ours("CacheAside"), .plain("baseline")]
  let panels = kinds.compactMap { kind, title -> LinePanel? in
    let points = rows.numbered("growth.\(kind).")
    guard points.count > 1 else { return nil }
    var series = [names[0].with(points.map { ($0.number, $0.row.value) })]
    let baseline = points.filter { $0.row.baseline > 0 }
    if baseline.count > 1 {
      series.insert(names[1].with(baseline.map { ($0.number, $0.row.baseline) }), at: 0)
    }
    return LinePanel(
      title: title,
      xLabel: "entries",
      yLabel: "ns each",
      series: series,
      isLogarithmic: true,
      ticks: points.map(\.number)
    )
  }
  guard !panels.isEmpty else { return false }
  var figure = Figure(width: 20 + 330 * Double(panels.count), height: 370)
  figure.text("Cost by the number of entries", 20, 28, size: 16, isBold: true)
  figure.legend(names, 20, 54)
  for (index, panel) in panels.enumerated() {
    panel.draw(in: &figure, 70 + 330 * Double(index), 96, 250, 220)
  }
  try figure.write(to: folder, "growth")
  return true
}
