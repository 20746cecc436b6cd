import AllocationCounter

/// Allocations a hit, form by form; those of `.key` forms are of the key that the caller builds.
func allocationBenchmarks() -> [Benchmark] {
  let forms = HitForm.all.filter { !$0.name.hasSuffix(".2t") }
  return forms.map { form in
    allocationRow("mallocs." + form.name) { try await allocations(form) }
  } + [
    allocationRow("mallocs.hit.memoized.ambient") {
      try ChildProcess.run("mallocs.hit.memoized.bound")
    },
    allocationRow("mallocs.hit.async") {
      var worst = 0.0
      for form in forms where form.isAsync { worst = max(worst, try await allocations(form)) }
      return worst
    },
  ]
}

private func allocationRow(
  _ name: String,
  _ figure: @escaping () async throws -> Double
) -> Benchmark {
  Benchmark(name: name) {
    guard allocation_counter_works() else {
      throw BenchmarkSkip("allocations are counted with glibc only")
    }
    return Measurement(name, "ratio", try await figure())
  }
}

private func allocations(_ form: HitForm) async throws -> Double {
  let duel = try await form.duel()
  return try await allocationsPerHit(duel.subject, operations: duel.operations)
}

func allocationsPerHit(_ pass: Duel.Pass, operations: Int) async throws -> Double {
  sink(try await pass())
  let before = allocation_count()
  sink(try await pass())
  let each = Double(allocation_count() - before) / Double(operations)
  // A few allocations of the pass itself are not the hits'.
  return each < 0.001 ? 0 : each
}
