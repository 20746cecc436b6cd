import CacheAside

/// What Lazy-TinyLFU keeps when entries differ in size, against LRU: the share of requests and the
/// share of bytes that are hits, at budgets of some percent of all bytes.
///
/// The trace is made here: popularity by Zipf's law and, independent of it, sizes from 128 bytes to
/// 256 KiB, each octave as likely as any other.
func costHitRatios() -> [Benchmark] {
  let costs = CostHitRatios()
  return [1, 5, 20].flatMap { share in
    ["object", "byte"].map { kind in
      let name = "hitratio.costs.\(kind).\(share)"
      return Benchmark(name: name) {
        let (ours, lru) = (
          try costs.ratios(.lazyTinyLFU, share: share), try costs.ratios(.lru, share: share)
        )
        return kind == "object"
          ? percent(name, ours.objects, lru.objects) : percent(name, ours.bytes, lru.bytes)
      }
    }
  }
}

private final class CostHitRatios {
  private static let keys = 50_000
  private lazy var requests = ZipfTrace(keys: Self.keys, count: 500_000, seed: 7).requests
  private lazy var sizes: [Int] = {
    var random = SplitMix64(state: 11)
    return (0..<Self.keys).map { _ in
      let octave = 128 << Int.random(in: 0..<11, using: &random)
      return Int.random(in: octave..<2 * octave, using: &random)
    }
  }()

  func ratios(
    _ policy: EvictionPolicy,
    share: Int
  ) throws -> (objects: Double, bytes: Double) {
    let total = sizes.reduce(0, +)
    let limits = MemoryLimits(
      costLimit: total / 100 * share,
      expectedEntryCost: total / Self.keys
    )
    let store = try MemoryStore<Int, Int>(limits: limits, policy: policy)
    var (objects, bytes, asked) = (0, 0, 0)
    for key in requests {
      asked += sizes[key]
      if store.value(for: key) != nil {
        objects += 1
        bytes += sizes[key]
      } else {
        store.insert(key, for: key, cost: sizes[key])
      }
    }
    return (100 * Double(objects) / Double(requests.count), 100 * Double(bytes) / Double(asked))
  }
}
