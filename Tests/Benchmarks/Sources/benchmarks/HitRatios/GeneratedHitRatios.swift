/// Hit ratios of the store on traces that are made here, so that they can be gates anywhere.
///
/// The baselines are those of the policy's core with the reference simulator's hash; the store's
/// own hashes, seeded for each store, move a figure a little (`policy-core` prints the core's).
func generatedHitRatios() -> [Benchmark] {
  let traces = GeneratedTraces()
  var rows: [Benchmark] = []
  func row(_ name: String, _ recorded: Double, _ ratio: @escaping () throws -> Double) {
    let name = "hitratio.generated.\(name)"
    rows.append(Benchmark(name: name) { percent(name, try ratio(), recorded) })
  }
  for (size, recorded) in [
    (25, 2.3624), (51, 4.9268), (101, 9.8625), (253, 24.7656), (506, 49.4214),
  ] {
    row("loop.\(size)", recorded) { try traces.loop.ratio(countLimit: size) }
  }
  for (size, recorded) in [(100, 40.4746), (1_000, 58.7316), (5_000, 71.4592)] {
    row("zipf.\(size)", recorded) { try traces.zipf.ratio(countLimit: size) }
  }
  // And once through all that is above the store.
  row("cache.1000", 58.7316) { try traces.zipf.ratioOfCache(countLimit: 1_000) }
  return rows
}

private final class GeneratedTraces {
  /// 1,011 keys, read one after the other 500 times: the synthetic loop of the LIRS paper.
  lazy var loop = Replay(requests: (0..<505_500).map { $0 % 1_011 })
  /// `policy-core --zipf 100000 500000 20261130`.
  lazy var zipf = Replay(
    requests: ZipfTrace(keys: 100_000, count: 500_000, seed: 20_261_130).requests
  )
}
