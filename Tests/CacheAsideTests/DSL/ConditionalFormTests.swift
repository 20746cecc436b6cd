import CacheAsideTesting
import Testing

@testable import CacheAside

/// Every form hands the previous value to its producer.
@Suite(.timeLimit(.minutes(60)))
struct ConditionalFormTests {
  /// A producer's answer: 1 where nothing was there, else that again.
  private static func answer(_ previous: Previous<Int>?) -> Produced<Int> {
    guard let previous else { return Produced(1, validator: "v") }
    return previous.validator == "v" ? .notModified : Produced(-1)
  }

  /// Calls the form twice, the second time as a reload, and looks at what the second run saw.
  private func check(
    _ form: String,
    _ call: (CacheMode, Counter) async throws -> Int
  ) async throws {
    let runs = Counter()
    #expect(try await call(.default, runs) == 1, "\(form)")
    #expect(try await call(.default, runs) == 1, "\(form)")
    #expect(runs.count == 1, "\(form)")
    #expect(try await call(.reload, runs) == 1, "\(form)")
    #expect(runs.count == 2, "\(form)")
  }

  @Test func `the immediate forms`() async throws {
    try await Caches.withCurrent(.inMemory) {
      let feature = try Caches.inMemory["numbers"]
      try await check("global") { mode, runs in
        try await cached(key: "k", mode: mode) { (previous: Previous<Int>?) in
          runs.add()
          return Self.answer(previous)
        }
      }
      try await check("feature") { mode, runs in
        try await feature.cached(key: "k", mode: mode) { (previous: Previous<Int>?) in
          runs.add()
          return Self.answer(previous)
        }
      }
    }
  }

  @Test func `the forms with a key closure`() async throws {
    let feature = try Caches.inMemory["numbers"]
    try await check("none") { mode, runs in
      let function = feature.cached(key: { "k" }) { (previous: Previous<Int>?) in
        runs.add()
        return Self.answer(previous)
      }
      return try await function(mode: mode)
    }
    try await check("one") { mode, runs in
      let function = feature.cached(key: { "k/\($0)" }) { (_: Int, previous: Previous<Int>?) in
        runs.add()
        return Self.answer(previous)
      }
      return try await function(1, mode: mode)
    }
    try await check("two") { mode, runs in
      let function = feature.cached(key: { "k/\($0)/\($1)" }) {
        (_: Int, _: String, previous: Previous<Int>?) in
        runs.add()
        return Self.answer(previous)
      }
      return try await function(1, "a", mode: mode)
    }
    try await check("three") { mode, runs in
      let function = feature.cached(key: { "k/\($0)/\($1)/\($2)" }) {
        (_: Int, _: String, _: Bool, previous: Previous<Int>?) in
        runs.add()
        return Self.answer(previous)
      }
      return try await function(1, "a", true, mode: mode)
    }
  }

  @Test func `the named forms`() async throws {
    let feature = try Caches.inMemory["numbers"]
    try await check("none") { mode, runs in
      let function = feature.cached("f") { (previous: Previous<Int>?) in
        runs.add()
        return Self.answer(previous)
      }
      return try await function(mode: mode)
    }
    try await check("one") { mode, runs in
      let function = feature.cached("f") { (_: Int, previous: Previous<Int>?) in
        runs.add()
        return Self.answer(previous)
      }
      return try await function(1, mode: mode)
    }
    try await check("two") { mode, runs in
      let function = feature.cached("f") { (_: Int, _: String, previous: Previous<Int>?) in
        runs.add()
        return Self.answer(previous)
      }
      return try await function(1, "a", mode: mode)
    }
  }

  @Test func `uncached runs without a previous value`() async throws {
    let feature = try Caches.inMemory["numbers"]
    let function = feature.cached("f") { (_: Int, previous: Previous<Int>?) in
      Self.answer(previous)
    }
    #expect(try await function(1) == 1)
    #expect(try await function.uncached(1) == 1)
  }
}
