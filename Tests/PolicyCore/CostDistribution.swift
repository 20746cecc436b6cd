/// What keys cost, as the reference simulator says it; by whole numbers, so that both agree.
enum CostDistribution: String {
  /// 1 … 100.
  case uniform
  /// Pareto's law with the exponent one: 10 … 100,000.
  case pareto
  /// One key in ten costs 1,000, the others one.
  case two
  /// Proportional to the rank by popularity: what is asked for most is cheapest.
  case rank

  /// The cost of every key of a trace.
  func costs(of trace: Trace) -> [Int] {
    if self == .rank { return ranks(of: trace) }
    return trace.keys.map { key in
      let word = splitmix64(splitmix64(key)) >> 32
      switch self {
      case .uniform: return 1 + Int(word % 100)
      case .pareto: return Int(min((10 << 32) / (word + 1), 100_000))
      case .two: return word.isMultiple(of: 10) ? 1_000 : 1
      case .rank: return 1
      }
    }
  }

  private func ranks(of trace: Trace) -> [Int] {
    var counts = [Int](repeating: 0, count: trace.keys.count)
    for key in trace.requests { counts[key] += 1 }
    let order = counts.indices.sorted { (counts[$1], $0) < (counts[$0], $1) }
    var costs = counts
    for (rank, key) in order.enumerated() { costs[key] = 1 + rank * 1_000 / counts.count }
    return costs
  }
}
