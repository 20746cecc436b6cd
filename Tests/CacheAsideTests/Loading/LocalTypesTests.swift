import CacheAside
import Testing

/// Types that carry one name but are not one type.
struct LocalTypesTests {
  private func storeFirst(_ feature: CacheFeature) async throws -> Bool {
    struct Row: Codable, Sendable { var number: Int }
    let row = try await feature.cached(key: "row") { Row(number: 1) }
    return row.number == 1
  }

  private func storeSecond(_ feature: CacheFeature) async throws -> Bool {
    struct Row: Codable, Sendable { var text: String }
    let row = try await feature.cached(key: "row") { Row(text: "a") }
    return row.text == "a"
  }

  @Test func `K4 local types of one name live side by side in memory`() async throws {
    let caches = Caches.inMemory
    let feature = try caches["rows"]
    for _ in 0..<2 {
      #expect(try await storeFirst(feature))
      #expect(try await storeSecond(feature))
    }
    #expect(feature.statistics.loads == 2)
  }
}
