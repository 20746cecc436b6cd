/// Every benchmark, group by group; a group sets up what its rows share when the first one runs.
func catalogue(_ options: Options) throws -> [Benchmark] {
  try hitBenchmarks() + allocationBenchmarks() + peerBenchmarks() + insertBenchmarks()
    + flightBenchmarks() + memoryBenchmarks() + growthBenchmarks() + diskBenchmarks()
    + cliffBenchmarks() + generatedHitRatios() + costHitRatios() + hitRatioBenchmarks(options)
}

/// What a process of its own is started for.
func childJobs() -> [String: ChildProcess.Job] {
  ambientJobs().merging(memoryJobs()) { $1 }.merging(flightJobs()) { $1 }
}
