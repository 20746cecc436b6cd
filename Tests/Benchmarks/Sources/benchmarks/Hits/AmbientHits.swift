import AllocationCounter
import CacheAside

// A process reads task-locals on its hits from the first time that caches are bound in it. So bound
// and unbound hits are taken in processes of their own, in turns.

/// `hit.memoized.ambient`: a callable inside `withCurrent`, against the same without it.
func ambientRow() async throws -> Measurement {
  Measurement(
    "hit.memoized.ambient",
    "ns",
    try await inPairs(
      baseline: { try ChildProcess.run("hit.memoized.unbound") },
      subject: { try ChildProcess.run("hit.memoized.bound") }
    )
  )
}

func ambientJobs() -> [String: ChildProcess.Job] {
  [
    "hit.memoized.unbound": { try await nanoseconds(unboundPass()) },
    "hit.memoized.bound": {
      let pass = try await unboundPass()
      return try await Caches.withCurrent(SharedCaches.caches.get()) { try await nanoseconds(pass) }
    },
    "mallocs.hit.memoized.bound": {
      let pass = try await unboundPass()
      return try await Caches.withCurrent(SharedCaches.caches.get()) {
        try await allocationsPerHit(pass, operations: Workload.shared.draws.count)
      }
    },
  ]
}

private func unboundPass() async throws -> Duel.Pass {
  _ = try SharedCaches.caches.get()
  let (keys, draws) = (Workload.shared.keys, Workload.shared.draws)
  let callable = cached("one") { (key: Int) in key }
  for key in keys { sink(try await callable(key)) }
  return {
    var sum = 0
    for key in draws { sum &+= try await callable(key) }
    return sum
  }
}

private func nanoseconds(_ pass: Duel.Pass) async throws -> Double {
  sink(try await pass())
  var figures: [Double] = []
  for _ in 0..<3 {
    let start = processNanoseconds()
    sink(try await pass())
    figures.append(Double(processNanoseconds() - start) / Double(Workload.shared.draws.count))
  }
  return median(figures)
}
