/// One line of the output.
struct Measurement {
  let name: String
  let value: Double
  let unit: String
  let baseline: Double
  /// Value by baseline; `nil` where the baseline is zero.
  let ratio: Double?

  /// What a gate looks at: a time by itself, everything else by its baseline where it has one.
  var gated: Double { unit == "ms" ? value : ratio ?? value }
  var gatedUnit: String { unit == "ms" || ratio == nil ? unit : "times its baseline" }

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
    func cell(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let name = self.name + String(repeating: " ", count: max(0, 24 - self.name.count))
    let value = "\((self.value * 10).rounded() / 10) \(unit)"
    let baseline = "\((self.baseline * 10).rounded() / 10)"
    let ratio = self.ratio.map { "\(($0 * 1_000).rounded() / 1_000)" } ?? "-"
    return name + cell(value, 16) + cell(baseline, 14) + cell(ratio, 10)
  }
}
