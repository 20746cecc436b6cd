/// Every benchmark, group by group; a group sets up what its rows share when the first one runs.
func catalogue(_ options: Options) throws -> [Benchmark] {
  if let folder = options.charts {
    try drawCharts(in: folder)
    return []
  }
  return try hitBenchmarks()
    + [Benchmark(name: "flight.join.100k") { try await FlightBenchmark().run() }]
    + diskBenchmarks(options) + generatedHitRatios() + costHitRatios()
    + hitRatioBenchmarks(options)
}
