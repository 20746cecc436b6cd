import AllocationCounter
import CacheAside

// A process reads task-locals on its hits from the first time that caches are bound in it. So bound
// and unbound hits are taken in processes of their own, in turns.

/// A callable inside `withCurrent`, against the same without it: `hit.memoized.ambient` is one of a
/// feature, as in `hit.memoized.1`; `hit.memoized.bound` a global one, which asks the bound caches.
func ambientRow(_ name: String) async throws -> Measurement {
  Measurement(
    name,
    "ns",
    try await inPairs(
      baseline: { try ChildProcess.run(name + ".without") },
      subject: { try ChildProcess.run(name) }
    )
  )
}

func ambientJobs() -> [String: ChildProcess.Job] {
  var jobs: [String: ChildProcess.Job] = [:]
  for (name, isGlobal) in [("hit.memoized.ambient", false), ("hit.memoized.bound", true)] {
    jobs[name + ".without"] = { try await nanoseconds(pass(isGlobal: isGlobal)) }
    jobs[name] = {
      let pass = try await pass(isGlobal: isGlobal)
      return try await Caches.withCurrent(SharedCaches.caches.get()) { try await nanoseconds(pass) }
    }
    jobs["mallocs." + name] = {
      let pass = try await pass(isGlobal: isGlobal)
      return try await Caches.withCurrent(SharedCaches.caches.get()) {
        try await allocationsPerHit(pass, operations: Workload.shared.draws.count)
      }
    }
  }
  return jobs
}

private func pass(isGlobal: Bool) async throws -> Duel.Pass {
  let feature = try SharedCaches.caches.get()["hits"]
  let (keys, draws) = (Workload.shared.keys, Workload.shared.draws)
  let callable =
    isGlobal
    ? cached("one") { (key: Int) in key } : feature.cached("one") { (key: Int) in key }
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
