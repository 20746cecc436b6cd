/// Two bodies measured in turns by wall time: baseline, subject, baseline, subject, and so on.
struct WallPairs {
  /// Nanoseconds an operation, medians.
  let value: Double
  let baseline: Double
  /// The median of the pairs' ratios.
  let ratio: Double

  /// Measures; what `before` and `after` do in every pair is not timed.
  init(
    count: Int,
    operations: Int,
    before: () throws -> Void = {},
    baseline: () throws -> Void,
    subject: () throws -> Void,
    after: () throws -> Void = {}
  ) throws {
    let clock = ContinuousClock()
    func nanoseconds(_ body: () throws -> Void) throws -> Double {
      let start = clock.now
      try body()
      return (clock.now - start) / .nanoseconds(1) / Double(operations)
    }
    var values: [Double] = []
    var baselines: [Double] = []
    // The first pair warms up.
    for pair in 0...count {
      try before()
      let pass = (try nanoseconds(baseline), try nanoseconds(subject))
      try after()
      guard pair > 0 else { continue }
      baselines.append(pass.0)
      values.append(pass.1)
    }
    value = median(values)
    self.baseline = median(baselines)
    ratio = median(zip(values, baselines).map { $0 / $1 })
  }
}
