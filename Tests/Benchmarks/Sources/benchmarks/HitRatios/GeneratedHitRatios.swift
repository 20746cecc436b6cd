/// Hit ratios of the store on traces that are made here, so that they can be gates anywhere.
///
/// The baselines are those of the policy's core with the reference simulator's hash; the store's
/// own hashes, seeded for each store, move a figure a little (`policy-core` prints the core's).
func generatedHitRatios() -> [Benchmark] {
  let traces = GeneratedTraces()
  let loops = [(25, 2.3624), (51, 4.9268), (101, 9.8625), (253, 24.7656), (506, 49.4214)]
  let zipfs = [(100, 40.4746), (1_000, 58.7316), (5_000, 71.4592)]
  return loops.map { size, recorded in
    let name = "hitratio.generated.loop.\(size)"
    return Benchmark(name: name) {
      percent(name, try traces.loop.ratio(countLimit: size), recorded)
    }
  }
    + zipfs.map { size, recorded in
      let name = "hitratio.generated.zipf.\(size)"
      return Benchmark(name: name) {
        percent(name, try traces.zipf.ratio(countLimit: size), recorded)
      }
    }
}

private final class GeneratedTraces {
  /// 1,011 keys, read one after the other 500 times: the synthetic loop of the LIRS paper.
  lazy var loop = Replay(requests: (0..<505_500).map { $0 % 1_011 })
  /// `policy-core --zipf 100000 500000 20261130`.
  lazy var zipf = Replay(
    requests: ZipfTrace(keys: 100_000, count: 500_000, seed: 20_261_130).requests
  )
}
