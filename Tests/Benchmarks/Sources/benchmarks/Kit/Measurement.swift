/// One line of the output.
struct Measurement {
  let name: String
  let value: Double
  let unit: String
  let baseline: Double
  /// Value by baseline; `nil` where the baseline is zero.
  let ratio: Double?

  var json: String {
    func number(_ value: Double) -> String {
      let thousandths = (value * 1_000).rounded() / 1_000
      return "\(thousandths)"
    }
    return """
      {"name": "\(name)", "value": \(number(value)), "unit": "\(unit)", \
      "baseline": \(number(baseline)), "ratio": \(ratio.map(number) ?? "null")}
      """
  }

  var row: String {
    Self.row(
      name,
      Self.text(value, decimals: 1) + " " + unit.padded(to: 7),
      Self.text(baseline, decimals: 1),
      ratio.map { Self.text($0, decimals: 3) } ?? "-"
    )
  }

  /// The line above the rows of a section.
  static func header(_ section: Substring) -> String {
    row(String(section), "value " + "unit".padded(to: 7), "baseline", "ratio")
  }

  private static func row(_ name: String, _ value: String, _ baseline: String, _ ratio: String)
    -> String
  {
    name.padded(to: 36) + value.padded(to: 20, onTheLeft: true)
      + baseline.padded(to: 12, onTheLeft: true) + ratio.padded(to: 10, onTheLeft: true)
  }

  private static func text(_ value: Double, decimals: Int) -> String {
    let scale = decimals == 1 ? 10 : 1_000
    let scaled = Int((value * Double(scale)).rounded())
    let fraction = String(abs(scaled) % scale)
    let zeros = String(repeating: "0", count: max(0, decimals - fraction.count))
    return "\(scaled < 0 ? "-" : "")\(abs(scaled) / scale).\(zeros)\(fraction)"
  }
}

extension Measurement {
  /// A row of an interleaved run.
  init(_ name: String, _ unit: String, _ pairs: (value: Double, baseline: Double, ratio: Double)) {
    self.init(
      name: name,
      value: pairs.value,
      unit: unit,
      baseline: pairs.baseline,
      ratio: pairs.baseline == 0 ? nil : pairs.ratio
    )
  }

  /// A row of one value and one baseline.
  init(_ name: String, _ unit: String, _ value: Double, baseline: Double = 0) {
    self.init(name, unit, (value, baseline, value / baseline))
  }
}

extension String {
  func padded(to width: Int, onTheLeft: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return onTheLeft ? padding + self : self + padding
  }
}
