/// Every benchmark, group by group; a group sets up what its rows share when the first one runs.
func catalogue(_ options: Options) throws -> [Benchmark] {
  try hitBenchmarks()
    + [Benchmark(name: "flight.join.100k") { try await FlightBenchmark().run() }]
    + diskBenchmarks(options)
}
