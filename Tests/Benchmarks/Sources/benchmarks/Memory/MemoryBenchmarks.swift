import CacheAside

/// How a table of a million entries is made.
private enum Shape: String, CaseIterable {
  case unlimited = ""
  case bounded = ".bounded"
  case withDeadlines = ".ttl"
}

private let entryCount = 1_000_000

/// Bytes an entry, as growth of resident memory of a process of its own.
func memoryBenchmarks() -> [Benchmark] {
  ["int", "string"].flatMap { keys in
    Shape.allCases.map { shape in
      let name = "memory.\(keys)\(shape.rawValue)"
      return Benchmark(name: name) {
        Measurement(
          name,
          "bytes",
          try ChildProcess.run(name),
          baseline: try ChildProcess.run("memory.\(keys).dictionary")
        )
      }
    }
  }
}

func memoryJobs() -> [String: ChildProcess.Job] {
  var jobs = jobs("int", Workload.key).merging(jobs("string", Workload.string)) { $1 }
  for (label, count) in growthSizes {
    jobs["growth.memory.\(label)"] = { try bytesPerEntry(.unlimited, count, Workload.key) }
    jobs["growth.memory.\(label).dictionary"] = { bytesPerEntryOfDictionary(count, Workload.key) }
  }
  return jobs
}

private func jobs<Key: CacheKeyConvertible>(
  _ keys: String,
  _ key: @escaping @Sendable (Int) -> Key
) -> [String: ChildProcess.Job] {
  var jobs: [String: ChildProcess.Job] = [:]
  for shape in Shape.allCases {
    jobs["memory.\(keys)\(shape.rawValue)"] = { try bytesPerEntry(shape, entryCount, key) }
  }
  jobs["memory.\(keys).dictionary"] = { bytesPerEntryOfDictionary(entryCount, key) }
  return jobs
}

/// The memory of the process once all the code that is to be run has been, with another cache.
private func residentBytes<Key: CacheKeyConvertible>(
  afterFilling shape: Shape,
  _ key: (Int) -> Key
) throws -> Int {
  let cache: Cache<Key, Int> = try emptyCache(shape, 1_000)
  for number in 0..<1_250 { cache[key(number)] = number }
  sink(cache.count)
  sink(ChildProcess.residentBytes())
  return ChildProcess.residentBytes()
}

private func emptyCache<Key: CacheKeyConvertible>(
  _ shape: Shape,
  _ count: Int
) throws -> Cache<Key, Int> {
  try Cache(name: "memory", expiry: shape == .withDeadlines ? .hours(24) : nil) {
    Memory(shape == .bounded ? .count(count) : .unlimited)
  }
}

private func bytesPerEntry<Key: CacheKeyConvertible>(
  _ shape: Shape,
  _ count: Int,
  _ key: (Int) -> Key
) throws -> Double {
  let before = try residentBytes(afterFilling: shape, key)
  // Small tables are made many times, until their memory can be told from that of the process.
  let rounds = max(1, entryCount / count)
  var caches: [Cache<Key, Int>] = []
  caches.reserveCapacity(rounds)
  // A bounded one is at its capacity, and knows what it has evicted, only after more than that.
  let inserted = shape == .bounded ? count + count / 4 : count
  for _ in 0..<rounds {
    let cache: Cache<Key, Int> = try emptyCache(shape, count)
    for number in 0..<inserted { cache[key(number)] = number }
    caches.append(cache)
  }
  let grown = ChildProcess.residentBytes() - before
  for cache in caches where cache.count != count {
    throw BenchmarkFailure("there are \(cache.count) entries instead of \(count)")
  }
  return Double(grown) / Double(rounds * count)
}

private func bytesPerEntryOfDictionary<Key: CacheKeyConvertible>(
  _ count: Int,
  _ key: (Int) -> Key
) -> Double {
  sink(ChildProcess.residentBytes())
  let before = ChildProcess.residentBytes()
  let rounds = max(1, entryCount / count)
  var dictionaries: [LockedDictionary<Key>] = []
  dictionaries.reserveCapacity(rounds)
  for _ in 0..<rounds {
    let dictionary = LockedDictionary<Key>([:])
    for number in 0..<count { dictionary.with { $0[key(number)] = number } }
    dictionaries.append(dictionary)
  }
  let grown = ChildProcess.residentBytes() - before
  for dictionary in dictionaries { sink(dictionary[key(count - 1)] ?? 0) }
  return Double(grown) / Double(rounds * count)
}
