extension Duration {
  /// The length in nanoseconds; what is longer than 292 years counts as that.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carried ? (seconds < 0 ? .min : .max) : sum
  }

  /// The length for people: a number of two or three digits and a unit.
  var brief: String {
    let nanoseconds = wholeNanoseconds
    if nanoseconds < 0 { return "-" + Duration.nanoseconds(0 &- nanoseconds).brief }
    let units: [(length: Int64, name: String)] = [
      (86_400_000_000_000, "d"), (3_600_000_000_000, "h"), (60_000_000_000, "min"),
      (1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs"),
    ]
    guard let unit = units.first(where: { nanoseconds >= $0.length }) else {
      return "\(nanoseconds) ns"
    }
    let tenths = nanoseconds / (unit.length / 10)
    if tenths >= 1_000 || tenths % 10 == 0 { return "\(tenths / 10) \(unit.name)" }
    return "\(tenths / 10).\(tenths % 10) \(unit.name)"
  }
}
