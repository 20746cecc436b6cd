import Foundation

/// Bars from the left, one below the other, with their values.
struct BarChart {
  struct Bar {
    let name: String
    let value: Double
    let color: String
    var isHeading = false

    /// What this run measured of ours.
    static func ours(_ name: String, _ value: Double) -> Bar {
      Bar(name: name, value: value, color: "#0b6e4f")
    }
    /// What this run measured of others.
    static func measured(_ name: String, _ value: Double) -> Bar {
      Bar(name: name, value: value, color: "#5b7fa6")
    }
    /// What was measured elsewhere.
    static func reference(_ name: String, _ value: Double) -> Bar {
      Bar(name: name, value: value, color: "#c9c9c9")
    }
    static func heading(_ name: String) -> Bar {
      Bar(name: name, value: 0, color: "", isHeading: true)
    }
  }

  let title: String
  let xLabel: String
  let bars: [Bar]
  /// What the colours mean.
  let key: [(name: String, color: String)]
  /// Where the axis begins.
  var origin = 0.0
  var isLogarithmic = false
  var ticks: [Double]
  var digits = 1
  /// A line across all bars.
  var mark: Double?

  func write(to folder: String, _ name: String) throws {
    let (left, width, row) = (250.0, 480.0, 22.0)
    let top = 72.0
    let bottom = top + row * Double(bars.count) + 8
    var figure = Figure(width: left + width + 90, height: bottom + 50)
    figure.text(title, 20, 26, size: 15, isBold: true)
    var keyX = 20.0
    for entry in key {
      figure.rectangle(keyX, 40, 12, 12, fill: entry.color)
      figure.text(entry.name, keyX + 17, 50, size: 12)
      keyX += 38 + 6.8 * Double(entry.name.count)
    }
    let end = ticks.last ?? 1
    func place(_ value: Double) -> Double {
      if !isLogarithmic { return left + width * (value - origin) / (end - origin) }
      return left + width * log(max(value, origin) / origin) / log(end / origin)
    }
    for tick in ticks {
      let isMark = tick == mark
      figure.line(
        [(place(tick), top - 4), (place(tick), bottom)],
        color: isMark ? "#444444" : "#e2e2e2",
        dash: isMark ? "4 3" : ""
      )
      figure.text(String(format: "%g", tick), place(tick), bottom + 16, size: 11, anchor: .middle)
    }
    figure.text(xLabel, left + width / 2, bottom + 38, size: 12, anchor: .middle)
    for (index, bar) in bars.enumerated() {
      let y = top + row * Double(index)
      if bar.isHeading {
        figure.text(bar.name, 20, y + 16, size: 12, isBold: true)
        continue
      }
      figure.text(bar.name, left - 8, y + 15, size: 12, anchor: .end)
      figure.rectangle(left, y + 3, max(1, place(bar.value) - left), row - 7, fill: bar.color)
      let text = String(format: "%.\(digits)f", bar.value)
      let end = place(bar.value) + 6
      // Lines of the grid must not run through the digits.
      figure.rectangle(end - 2, y + 4, 7 * Double(text.count) + 2, row - 8, fill: "white")
      figure.text(text, end, y + 15, size: 11)
    }
    try figure.write(to: folder, name)
  }
}
