/// One way to hit: its row's name and what makes its passes.
struct HitForm {
  let name: String
  /// Whether it is asynchronous and its key is built beforehand, by the caller.
  var isAsync = false
  let duel: () async throws -> Duel

  static var all: [HitForm] { synchronous + asynchronous + memoized + keyed }
}

func hitBenchmarks() -> [Benchmark] {
  HitForm.all.map { form in
    Benchmark(name: form.name) { try await form.duel().row(form.name) }
  }
    + ["hit.memoized.ambient", "hit.memoized.bound"].map { name in
      Benchmark(name: name) { try await ambientRow(name) }
    }
}
