import CacheAside

/// Many named functions in one feature.
enum NamedFunctions {
  /// A miss of one of them.
  @Sendable
  static func miss(_ count: Int) async throws -> Duration {
    let (functions, _) = try make(count)
    return try await ContinuousClock.each(of: 200) {
      for key in 0..<200 { _ = try await functions[key % count](count + key) }
    }
  }

  /// A write at once beside them.
  @Sendable
  static func set(_ count: Int) async throws -> Duration {
    let (functions, feature) = try make(count)
    let cache = try feature.cache(Int.self, Int.self)
    defer { withExtendedLifetime(functions) {} }
    return await ContinuousClock.each(of: 200) { for key in 0..<200 { cache[key] = key } }
  }

  private static func make(_ count: Int) throws -> ([Memoized<Int, Int>], CacheFeature) {
    let feature = try Caches { Feature("names") { Memory() } }["names"]
    let functions = (0..<count).map { number in
      feature.cached("function\(number)") { (key: Int) in key }
    }
    return (functions, feature)
  }
}
