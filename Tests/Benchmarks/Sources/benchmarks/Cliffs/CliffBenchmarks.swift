import CacheAside

/// What grows with the load: each row is taken at a size and at ten times that size.
///
/// The value is the figure at the larger size, the baseline that at the smaller one. Times are those of
/// the wall, since half of them is waiting. A figure for the whole load may grow with its size, ten
/// times and a little; one for a single operation should hardly grow at all.
func cliffBenchmarks() -> [Benchmark] {
  [
    cliff("cliff.names.miss", "us", 100, NamedFunctions.miss),
    cliff("cliff.names.set", "us", 100, NamedFunctions.set),
    cliff("cliff.queue.10k", "ms", 1_000, LoadCliffs.queue),
    cliff("cliff.queue.100k", "ms", 10_000, LoadCliffs.queue),
    cliff("cliff.batches", "ms", 100, LoadCliffs.batches),
    cliff("cliff.limits", "ms", 5_000, LoadCliffs.limits),
    cliff("cliff.readers", "ms", 2_000, StoreCliffs.readers),
    cliff("cliff.removal.entries", "us", 10_000, StoreCliffs.removalBesideEntries),
    cliff("cliff.removal.loads", "us", 2_000, StoreCliffs.removalBesideLoads),
    cliff("cliff.barriers", "us", 100, StoreCliffs.readAfterTagRemovals),
    cliff("cliff.scopes", "us", 500, StoreCliffs.readAfterFailedScopeRemovals),
  ]
}

private func cliff(
  _ name: String,
  _ unit: String,
  _ count: Int,
  _ take: @escaping @Sendable (Int) async throws -> Duration
) -> Benchmark {
  Benchmark(name: name) {
    let scale: Duration = unit == "ms" ? .milliseconds(1) : .microseconds(1)
    func figure(_ count: Int) async throws -> Double {
      var figures: [Double] = []
      let start = ContinuousClock.now
      // Once where it is slow, else the middle one of three.
      repeat {
        figures.append(try await take(count) / scale)
      } while figures.count < 3 && .now - start < .seconds(1)
      return median(figures)
    }
    let small = try await figure(count)
    return Measurement(name, unit, try await figure(10 * count), baseline: small)
  }
}

extension ContinuousClock {
  /// How long one of many operations took.
  static func each(of count: Int, _ body: () async throws -> Void) async rethrows -> Duration {
    let start = now
    try await body()
    return (now - start) / count
  }
}
