/// Many callers at once: of one key, and each of a key of its own.
///
/// The baseline of a time is that of the same callers without a cache: tasks that return at once
/// where they join, tasks held at the same gate where each has a key of its own.
func flightBenchmarks() -> [Benchmark] {
  [("1k", 1_000), ("10k", 10_000), ("100k", 100_000)].map { label, callers in
    let name = "flight.join.\(label)"
    let crowd = Crowd(callers: callers)
    return Benchmark(name: name) {
      Measurement(
        name,
        "ms",
        try await inPairs(
          baseline: { try await crowd.run(name, expecting: callers) { _ in 1 } },
          subject: { try await crowd.join(name) }
        )
      )
    }
  } + [
    Benchmark(name: "flight.distinct.100k") {
      let crowd = Crowd(callers: 100_000)
      return Measurement(
        "flight.distinct.100k",
        "ms",
        try await inPairs(
          baseline: { try await crowd.withoutCache("flight.distinct.100k") },
          subject: { try await crowd.loadDistinct("flight.distinct.100k") }
        )
      )
    },
    memory("flight.memory", "flight.memory.join"),
    memory("flight.memory.distinct", "flight.memory.distinct"),
  ]
}

private func memory(_ name: String, _ job: String) -> Benchmark {
  Benchmark(name: name) {
    Measurement(
      name,
      "bytes",
      try ChildProcess.run(job),
      baseline: try ChildProcess.run("flight.memory.tasks")
    )
  }
}

/// Bytes for each caller while all of them wait, those of its task included.
func flightJobs() -> [String: ChildProcess.Job] {
  let crowd = Crowd(callers: 100_000)
  func job(
    _ run: @escaping @Sendable (@escaping @Sendable () -> Void) async throws -> Double
  ) -> ChildProcess.Job {
    {
      let before = ChildProcess.residentBytes()
      let parked = LockedValue(0)
      _ = try await run { parked.with { $0 = ChildProcess.residentBytes() } }
      return Double(parked.with { $0 } - before) / Double(crowd.callers)
    }
  }
  return [
    "flight.memory.join": job { try await crowd.join("flight.memory", whenParked: $0) },
    "flight.memory.distinct": job { try await crowd.loadDistinct("flight.memory", whenParked: $0) },
    "flight.memory.tasks": job { try await crowd.withoutCache("flight.memory", whenParked: $0) },
  ]
}
