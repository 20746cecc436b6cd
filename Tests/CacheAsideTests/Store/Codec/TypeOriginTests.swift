import CacheAsideTesting
import Testing

@testable import CacheAside

/// A private type with the name of another one; every record of either decodes as the other.
private struct Twin: Codable, Equatable { var number: Int? }

private enum SecondTwin: PrivateTwin {
  static var type: Any.Type { Twin.self }

  static func store(_ number: Int, for key: CacheKey, in feature: CacheFeature) async throws {
    try await feature.cache(CacheKey.self, [Twin].self).set([Twin(number: number)], for: key)
  }

  static func number(for key: CacheKey, in feature: CacheFeature) async throws -> Int? {
    try await feature.cache(CacheKey.self, [Twin].self).value(for: key)?.first?.number
  }
}

@Suite(.timeLimit(.minutes(5))) struct TypeOriginTests {
  private static func local() -> Any.Type {
    struct Twin {}
    return Twin.self
  }

  private static func otherLocal() -> Any.Type {
    struct Twin {}
    return Twin.self
  }

  /// The origins of private and local types, in one line.
  private static func fingerprint() -> String {
    let types = [FirstTwin.type, SecondTwin.type, local(), otherLocal()]
    return types.map { Hex.lowercase(TypeIdentity.origin(of: $0)?.recordBytes ?? []) }
      .joined(separator: " ")
  }

  @Test func `only private and local types have an origin, and each its own`() {
    #expect(TypeIdentity.of(FirstTwin.type) == TypeIdentity.of(SecondTwin.type))
    #expect(Set(Self.fingerprint().split(separator: " ")).count == 4)
    for type in [Int.self, [String: Int].self, TypeOriginTests.self] as [Any.Type] {
      #expect(TypeIdentity.origin(of: type) == nil)
    }
    #expect(TypeIdentity.origin(of: Twin?.self) == TypeIdentity.origin(of: Twin.self))
  }

  @Test func `an origin is the same in other processes`() async throws {
    for _ in 0..<2 {
      let result = try await #require(
        processExitsWith: .success,
        observing: [\.standardOutputContent]
      ) {
        print("origins: " + TypeOriginTests.fingerprint())
      }
      let output = String(decoding: result.standardOutputContent, as: UTF8.self)
      #expect(output.split(separator: "\n").contains("origins: \(Self.fingerprint())"))
    }
  }

  @Test func `K4 a private type never reads what another one of its name wrote`() async throws {
    let store = RecordingStore(PlainStore())
    func feature() throws -> CacheFeature {
      try Caches { Feature("feature") { Store(store) } }["feature"]
    }
    try await FirstTwin.store(1, for: "k", in: feature())
    #expect(try await SecondTwin.number(for: "k", in: feature()) == nil)
    #expect(try await FirstTwin.number(for: "k", in: feature()) == 1)
    #expect(store.count(of: .removeIfUnchanged) == 0)
    try await SecondTwin.store(2, for: "k", in: feature())
    #expect(try await FirstTwin.number(for: "k", in: feature()) == nil)
    #expect(try await SecondTwin.number(for: "k", in: feature()) == 2)
  }

  @Test func `K4 private types of one name do not share a value in memory`() async throws {
    let feature = try Caches.inMemory["feature"]
    try await FirstTwin.store(1, for: "k", in: feature)
    #expect(try await SecondTwin.number(for: "k", in: feature) == nil)
    try await SecondTwin.store(2, for: "k", in: feature)
    #expect(try await FirstTwin.number(for: "k", in: feature) == 1)
  }

  @Test func `records of another build are told apart by decoding alone`() throws {
    let origin = try #require(TypeIdentity.origin(of: Twin.self))
    var metadata = CacheMetadata()
    #expect(!origin.excludes(metadata))
    metadata[.typeOrigin] = origin.recordBytes
    #expect(!origin.excludes(metadata))
    metadata[.typeOrigin]?[15] ^= 1
    #expect(origin.excludes(metadata))
    metadata[.typeOrigin]?[0] ^= 1
    #expect(!origin.excludes(metadata))
    metadata[.typeOrigin] = [1, 2, 3]
    #expect(!origin.excludes(metadata))
  }
}
