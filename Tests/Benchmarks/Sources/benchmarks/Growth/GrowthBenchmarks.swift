import CacheAside

/// The sizes at which costs are taken to see how they grow.
let growthSizes: [(label: String, count: Int)] = [
  ("1k", 1_000), ("10k", 10_000), ("100k", 100_000), ("1M", 1_000_000), ("10M", 10_000_000),
]

/// What a hit, an insert and an entry cost at each size, against a dictionary of the same size.
///
/// Keys are drawn evenly, so that a hit of a large table misses the processor's caches.
func growthBenchmarks() -> [Benchmark] {
  let rows: [(String, (String, Int) async throws -> Measurement)] = [
    ("growth.hit", hitRow), ("growth.insert", insertRow), ("growth.fill", fillRow),
    ("growth.memory", memoryRow),
  ]
  return rows.flatMap { row, take in
    growthSizes.map { label, count in
      let name = "\(row).\(label)"
      return Benchmark(name: name) { try await take(name, count) }
    }
  }
}

private func hitRow(_ name: String, _ count: Int) async throws -> Measurement {
  let keys = (0..<count).map(Workload.key)
  let cache = try makeCache(keys)
  let dictionary = LockedDictionary(places: keys)
  var random = SplitMix64(state: 11)
  let draws = (0..<(1 << 20)).map { _ in keys[Int(random.next() % UInt64(count))] }
  return try await Duel(
    operations: draws.count,
    baseline: { onThreads(1) { _ in total(draws) { dictionary[$0] } } },
    subject: { onThreads(1) { _ in total(draws) { cache[$0] } } }
  ).row(name)
}

private func insertRow(_ name: String, _ count: Int) async throws -> Measurement {
  let cache = try Cache<Int, Int>(name: "growth") { Memory(.count(count)) }
  let ring = RingDictionary(capacity: count)
  for number in 0..<count + count / 8 {
    cache[Workload.key(number)] = number
    ring.insert(number, for: Workload.key(number))
  }
  return Measurement(name, "ns", await inserting(count: 200_000, into: cache, ring))
}

/// Fills an empty table again and again, at least a hundred thousand entries in all.
private func fillRow(_ name: String, _ count: Int) async throws -> Measurement {
  let rounds = max(1, 100_000 / count)
  let pairs = try await interleaved(
    pairs: count > 1_000_000 ? 3 : 9,
    operations: rounds * count,
    baseline: { _ in
      var sum = 0
      for _ in 0..<rounds {
        let dictionary = LockedDictionary<Int>([:])
        for number in 0..<count { dictionary.with { $0[Workload.key(number)] = number } }
        sum &+= dictionary[Workload.key(count - 1)] ?? 0
      }
      return sum
    },
    subject: { _ in
      var sum = 0
      for _ in 0..<rounds {
        let cache = try Cache<Int, Int>(name: "growth") { Memory(.unlimited) }
        for number in 0..<count { cache[Workload.key(number)] = number }
        sum &+= cache[Workload.key(count - 1)] ?? 0
      }
      return sum
    }
  )
  return Measurement(name, "ns", pairs)
}

private func memoryRow(_ name: String, _ count: Int) async throws -> Measurement {
  Measurement(
    name,
    "bytes",
    try ChildProcess.run(name),
    baseline: try ChildProcess.run(name + ".dictionary")
  )
}
