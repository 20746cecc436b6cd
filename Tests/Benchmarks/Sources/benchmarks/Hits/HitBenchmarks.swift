import AllocationCounter
import CacheAside
import Synchronization

func hitBenchmarks() throws -> [Benchmark] {
  let hits = try HitBenchmarks(Workload())
  return [
    Benchmark(name: "hit.sync.int") { try await hits.syncInt() },
    Benchmark(name: "hit.async.method") { try await hits.asyncMethod() },
    Benchmark(name: "hit.async.cached") { try await hits.asyncCached() },
    Benchmark(name: "hit.memoized.1") { try await hits.memoizedOne() },
    Benchmark(name: "mallocs.hit.sync.int") { try await hits.allocations("hit.sync.int") },
    Benchmark(name: "mallocs.hit.async.method") { try await hits.allocations("hit.async.method") },
    Benchmark(name: "mallocs.hit.memoized.1") { try await hits.allocations("hit.memoized.1") },
    Benchmark(name: "mallocs.hit.async.cached") { try await hits.allocations("hit.async.cached") },
    Benchmark(name: "mallocs.hit.async") { try await hits.allocations() },
  ]
}

/// What a hit costs, in the forms that callers use.
struct HitBenchmarks {
  let workload: Workload
  let cache: Cache<Int, Int>
  let memoized: Memoized<Int, Int>

  init(_ workload: Workload) throws {
    self.workload = workload
    cache = try Cache(name: "hits") { Memory(.count(2 * Workload.keyCount)) }
    for key in workload.keys { cache[key] = key }
    let caches = try Caches { Feature("hits") { Memory(.count(2 * Workload.keyCount)) } }
    memoized = try caches["hits"].cached("key") { (key: Int) in key }
  }

  func syncInt() async throws -> Measurement {
    let dictionary = Mutex<[Int: Int]>([:])
    for key in workload.keys { dictionary.withLock { $0[key] = key } }
    let result = await interleaved(
      operations: workload.draws.count,
      baseline: { _ in
        var sum = 0
        for key in workload.draws { sum &+= dictionary.withLock { $0[key] } ?? 0 }
        return sum
      },
      subject: { _ in syncHits() }
    )
    return Measurement(
      name: "hit.sync.int",
      value: result.value,
      unit: "ns",
      baseline: result.baseline,
      ratio: result.ratio
    )
  }

  func asyncMethod() async throws -> Measurement {
    try await against("hit.async.method") { try await asyncHits() }
  }

  func asyncCached() async throws -> Measurement {
    try await against("hit.async.cached") { try await cachedHits() }
  }

  func memoizedOne() async throws -> Measurement {
    for key in workload.keys { _ = try await memoized(key) }
    return try await against("hit.memoized.1") { try await memoizedHits() }
  }

  private func against(
    _ name: String,
    _ subject: () async throws -> Int
  ) async throws -> Measurement {
    let result = try await interleaved(
      operations: workload.draws.count,
      baseline: { _ in syncHits() },
      subject: { _ in try await subject() }
    )
    return Measurement(
      name: name,
      value: result.value,
      unit: "ns",
      baseline: result.baseline,
      ratio: result.ratio
    )
  }

  /// Allocations per hit of one form, by the name of its time; `nil` asks for the worst of all.
  func allocations(_ form: String? = nil) async throws -> Measurement {
    var worst = 0.0
    for key in workload.keys { _ = try await memoized(key) }
    for (name, body) in forms where form == nil || form == name {
      sink(try await body())
      let before = allocation_count()
      sink(try await body())
      worst = max(worst, Double(allocation_count() - before) / Double(workload.draws.count))
    }
    return Measurement(
      name: "mallocs." + (form ?? "hit.async"),
      // A few allocations of the run itself are not the hits'.
      value: worst < 0.001 ? 0 : worst,
      unit: "ratio",
      baseline: 0,
      ratio: nil
    )
  }

  private var forms: [(name: String, body: () async throws -> Int)] {
    [
      ("hit.sync.int", { syncHits() }), ("hit.async.method", { try await asyncHits() }),
      ("hit.memoized.1", { try await memoizedHits() }),
      ("hit.async.cached", { try await cachedHits() }),
    ]
  }

  @inline(never)
  private func syncHits() -> Int {
    var sum = 0
    for key in workload.draws { sum &+= cache[key] ?? 0 }
    return sum
  }

  @inline(never)
  private func asyncHits() async throws -> Int {
    var sum = 0
    for key in workload.draws { sum &+= try await cache.value(for: key) ?? 0 }
    return sum
  }

  @inline(never)
  private func cachedHits() async throws -> Int {
    var sum = 0
    for key in workload.draws { sum &+= try await cache.cached(key) { key } }
    return sum
  }

  @inline(never)
  private func memoizedHits() async throws -> Int {
    var sum = 0
    for key in workload.draws { sum &+= try await memoized(key) }
    return sum
  }
}
