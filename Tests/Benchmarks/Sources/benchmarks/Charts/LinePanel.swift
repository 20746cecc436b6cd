import Foundation

/// Lines over a logarithmic x axis.
struct LinePanel {
  var title: String
  var xLabel = ""
  var yLabel = ""
  var series: [Series]
  /// Whether the y axis is logarithmic, too.
  var isLogarithmic = false
  /// Where the x axis has labels; by default at the first, the middle and the last point.
  var ticks: [Double]?

  /// A number of things in few characters.
  static func short(_ value: Double) -> String {
    if value >= 1_000_000 { return Figure.number(value / 1_000_000) + "M" }
    if value >= 10_000 { return Figure.number((value / 1_000).rounded()) + "k" }
    if value >= 1_000 { return Figure.number(value / 1_000) + "k" }
    return Figure.number(value)
  }

  func draw(in figure: inout Figure, _ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    let points = series.flatMap(\.points)
    guard let first = points.map(\.x).min(), let last = points.map(\.x).max(),
      let least = points.map(\.y).min(), let most = points.map(\.y).max()
    else { return }
    let levels = isLogarithmic ? decades(least, most) : tens(least, most)
    let (bottom, top) = (scaled(levels.first ?? 0), scaled(levels.last ?? 1))
    func place(_ point: (x: Double, y: Double)) -> (x: Double, y: Double) {
      (
        x + width * (log(point.x) - log(first)) / max(1e-9, log(last) - log(first)),
        y + height * (1 - (scaled(point.y) - bottom) / max(1e-9, top - bottom))
      )
    }
    figure.text(title, x + width / 2, y - 8, size: 13, anchor: .middle, isBold: true)
    for level in levels {
      let height = place((first, level)).y
      figure.line([(x, height), (x + width, height)], color: "#e2e2e2")
      figure.text(Self.short(level), x - 5, height + 4, size: 10, anchor: .end)
    }
    let sorted = Set(points.map(\.x)).sorted()
    for tick in ticks ?? [first, sorted[sorted.count / 2], last] {
      let at = place((tick, levels.first ?? 0)).x
      figure.line([(at, y + height), (at, y + height + 4)], color: "#888888")
      figure.text(Self.short(tick), at, y + height + 16, size: 10, anchor: .middle)
    }
    figure.line([(x, y), (x, y + height), (x + width, y + height)], color: "#888888")
    figure.text(xLabel, x + width / 2, y + height + 32, size: 11, anchor: .middle)
    if !yLabel.isEmpty {
      figure.text(yLabel, x - 40, y + height / 2, anchor: .middle, isUpright: true)
    }
    for one in series {
      let places = one.points.map(place)
      figure.line(places, color: one.color, width: one.width, dash: one.dash)
      guard one.dash.isEmpty else { continue }
      for point in places {
        figure.dot(point.x, point.y, radius: one.width * 0.9 + 0.4, color: one.color)
      }
    }
  }

  private func scaled(_ value: Double) -> Double { isLogarithmic ? log(max(value, 1e-9)) : value }

  private func tens(_ least: Double, _ most: Double) -> [Double] {
    let step = most - least > 40 ? 20.0 : most - least > 15 ? 10 : 5
    let (low, high) = ((least / step).rounded(.down) * step, (most / step).rounded(.up) * step)
    return Array(stride(from: low, through: high, by: step))
  }

  private func decades(_ least: Double, _ most: Double) -> [Double] {
    var levels = [1.0]
    while let low = levels.first, low > least { levels.insert(low / 10, at: 0) }
    while let high = levels.last, high < most { levels.append(high * 10) }
    while levels.count > 2, levels[1] <= least { levels.removeFirst() }
    return levels
  }
}
