import Foundation

/// The rows of a run, from the lines that `--json` prints.
struct ChartRows {
  struct Row: Decodable {
    let name: String
    let value: Double
    let baseline: Double
    let ratio: Double?
  }

  private var rows: [String: Row] = [:]

  /// Reads lines until the end; of rows with one name the last counts.
  init(_ lines: () -> String?) throws {
    let decoder = JSONDecoder()
    while let line = lines() {
      guard line.hasPrefix("{") else { continue }
      let row = try decoder.decode(Row.self, from: Data(line.utf8))
      rows[row.name] = row
    }
  }

  subscript(name: String) -> Row? { rows[name] }

  /// The rows `PREFIX<number>`, by their numbers, which may end in `k` or `M`.
  func numbered(_ prefix: String) -> [(number: Double, row: Row)] {
    rows.values.filter { $0.name.hasPrefix(prefix) }
      .compactMap { row in
        let label = row.name.dropFirst(prefix.count)
        let unit = label.hasSuffix("k") ? 1_000.0 : label.hasSuffix("M") ? 1_000_000 : 1
        let digits = unit == 1 ? label : label.dropLast()
        return Double(digits).map { (number: $0 * unit, row: row) }
      }
      .sorted { $0.number < $1.number }
  }
}

/// Draws every chart whose rows are among the lines on standard input.
func drawCharts(in folder: String) throws {
  let rows = try ChartRows { readLine() }
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  let charts: [(name: String, draw: (ChartRows, String) throws -> Bool)] = [
    ("hit-ratio", drawHitRatios), ("hit-ratio-mean", drawMeans), ("hit-cost", drawHitCosts),
    ("memory", drawMemory), ("growth", drawGrowth),
  ]
  for chart in charts {
    let isDrawn = try chart.draw(rows, folder)
    complain("\(isDrawn ? "drew" : "no rows for") \(folder)/\(chart.name).svg")
  }
}
