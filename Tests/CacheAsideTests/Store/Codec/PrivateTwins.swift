@testable import CacheAside

/// A private type with the name of another one; every record of either decodes as the other.
private struct Twin: Codable, Equatable { var number: Int? }

/// What tests may do with one of two private types of one name.
protocol PrivateTwin {
  /// The type, as a value.
  static var type: Any.Type { get }
  /// Stores a value of the type.
  static func store(_ number: Int, for key: CacheKey, in feature: CacheFeature) async throws
  /// The number of the value that is found.
  static func number(for key: CacheKey, in feature: CacheFeature) async throws -> Int?
}

enum FirstTwin: PrivateTwin {
  static var type: Any.Type { Twin.self }

  static func store(_ number: Int, for key: CacheKey, in feature: CacheFeature) async throws {
    try await feature.cache(CacheKey.self, [Twin].self).set([Twin(number: number)], for: key)
  }

  static func number(for key: CacheKey, in feature: CacheFeature) async throws -> Int? {
    try await feature.cache(CacheKey.self, [Twin].self).value(for: key)?.first?.number
  }
}
