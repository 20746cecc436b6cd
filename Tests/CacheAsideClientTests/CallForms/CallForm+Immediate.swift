import CacheAside

extension CallForm {
  /// The immediate form in all its spellings.
  static func immediate() async throws -> [CallForm] {
    let key: CacheKey = "number"
    let id = 42
    return [
      CallForm("literal key", try await cached(key: "a") { 1 }, is: "Int"),
      CallForm("interpolated key", try await cached(key: "a/\(id)") { 1 }, is: "Int"),
      CallForm("key in a variable", try await cached(key: key) { 1 }, is: "Int"),
      CallForm(
        "several statements",
        try await cached(key: "a") {
          let one = 1
          return one
        },
        is: "Int"
      ),
      CallForm(
        "await in one expression",
        try await cached(key: "a") { try await loadNumber() },
        is: "Int"
      ),
      CallForm("function reference", try await cached(key: "a", loadNumber), is: "Int"),
      CallForm("Produced", try await cached(key: "a") { Produced(1) }, is: "Int"),
      CallForm(
        "Produced in several statements",
        try await cached(key: "a") {
          let one = 1
          return Produced(one, expiry: .seconds(1))
        },
        is: "Int"
      ),
      CallForm(
        "Produced with a written type",
        try await cached(key: "a") { () -> Produced<Int> in
          let one = 1
          return Produced(one)
        },
        is: "Int"
      ),
      CallForm("Produced function reference", try await cached(key: "a", decideNumber), is: "Int"),
      CallForm(
        "Produced of a block",
        try await cached(key: "a") {
          try await Produced { success, _ in success(1, .never) }
        },
        is: "Int"
      ),
      CallForm(
        "an optional",
        try await cached(key: "a") { () -> Int? in nil },
        is: "Optional<Int>"
      ),
      CallForm("main-actor work", try await cached(key: "a") { @MainActor in 1 }, is: "Int"),
    ]
  }

  /// The immediate form with each of its parameters.
  static func parameters() async throws -> [CallForm] {
    [
      CallForm("expiry", try await cached(key: "a", expiry: .minutes(5)) { 1 }, is: "Int"),
      CallForm(
        "policy",
        try await cached(key: "a", policy: CachePolicy(whenUnobserved: .finish)) { 1 },
        is: "Int"
      ),
      CallForm("mode", try await cached(key: "a", mode: .reload) { 1 }, is: "Int"),
      CallForm("when", try await cached(key: "a", when: false) { 1 }, is: "Int"),
      CallForm("storing", try await cached(key: "a", storing: { $0 > 0 }) { 1 }, is: "Int"),
      CallForm("default", try await cached(key: "a", default: 0) { 1 }, is: "Int"),
      CallForm(
        "expiry and mode",
        try await cached(key: "a", expiry: .never, mode: .anyAge) { 1 },
        is: "Int"
      ),
      CallForm(
        "all with a plain producer",
        try await cached(
          key: "a",
          expiry: .seconds(1),
          policy: CachePolicy(),
          mode: .default,
          when: true,
          storing: { $0 > 0 },
          default: 0
        ) { 1 },
        is: "Int"
      ),
      CallForm(
        "all with Produced",
        try await cached(
          key: "a",
          expiry: .seconds(1),
          policy: CachePolicy(),
          mode: .default,
          when: true,
          storing: { $0 > 0 },
          default: 0
        ) { Produced(1) },
        is: "Int"
      ),
    ]
  }

  /// What an optional to the left makes of the value type: the table that has the value tells.
  static func optionals() async throws -> [CallForm] {
    let caches = Caches.inMemory
    return try await Caches.withCurrent(caches) {
      let one: Int? = try await cached(key: "one") { 1 }
      let several: Int? = try await cached(key: "several") {
        let one = 1
        return one
      }
      let table = try caches["default"].cache(CacheKey.self, Int.self)
      return [
        CallForm(
          form: "an optional from one expression",
          picked: one == 1 && table.peek("one") == 1 ? "Int" : "Optional<Int>",
          expected: "Optional<Int>"
        ),
        CallForm(
          form: "an optional from several statements",
          picked: several == 1 && table.peek("several") == 1 ? "Int" : "Optional<Int>",
          expected: "Optional<Int>"
        ),
      ]
    }
  }
}
