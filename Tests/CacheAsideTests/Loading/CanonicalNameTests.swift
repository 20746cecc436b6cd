import CacheAsideTesting
import Testing

@testable import CacheAside

/// Names that Swift takes for equal although their bytes differ (P7).
@Suite(.timeLimit(.minutes(60)))
struct CanonicalNameTests {
  private static let composed = "caf\u{E9} \u{1E69}"
  private static let decomposed = "cafe\u{301} s\u{307}\u{323}"

  private func caches(_ name: String, in folder: String) throws -> Caches {
    try Caches {
      Feature(name, tags: [Tag(name)]) {
        Memory()
        Disk(location: .directory(folder))
      }
    }
  }

  @Test func `canonically equal names of features are one feature in every store (B337)`()
    async throws
  {
    let folder = try TemporaryFolder()
    let names = [Self.composed, Self.decomposed]
    for (first, second) in [(0, 1), (1, 0)] {
      let before = try caches(names[first], in: folder.path)
      let fetch = try before[names[second]].cached(names[first]) { (id: Int) in id }
      #expect(try await fetch(1) == 1)
      let bound = CacheScope.none.adding(names[first], names[first])
      try await Caches.withScope(bound) { _ = try await fetch(2) }

      let after = try caches(names[second], in: folder.path)
      let again = try after[names[first]].cached(names[second]) { (_: Int) in -1 }
      #expect(try await again(1) == 1)
      let sameScope = CacheScope.none.adding(names[second], names[second])
      #expect(try await Caches.withScope(sameScope) { try await again(2) } == 2)
      #expect(try POSIXFileSystem().list(folder.path).count == 1)
      #expect(try after[names[first]].name.utf8.elementsEqual(Self.composed.utf8))

      try await after[names[first]].remove(.tags(anyOf: [Tag(names[second])]))
      #expect(try await fetchFresh(names[first], names[first], folder.path) == -1)
      try await after[names[second]].removeAll()
      #expect(try await fetchFresh(names[first], names[second], folder.path) == -1)
      try await after[names[second]].removeAll()
    }
  }

  private func fetchFresh(_ feature: String, _ name: String, _ folder: String) async throws -> Int {
    let fetch = try caches(feature, in: folder)[feature].cached(name) { (_: Int) in -1 }
    return try await fetch(1)
  }

  @Test func `canonically equal names of caches and functions are one (B337)`() async throws {
    let folder = try TemporaryFolder()
    for (name, other) in [
      (Self.composed, Self.decomposed), (Self.decomposed, Self.composed),
    ] {
      let cache = try Cache<Int, Int>(name: name) { Disk(location: .directory(folder.path)) }
      try await cache.set(1, for: 1)
      let same = try Cache<Int, Int>(name: other) { Disk(location: .directory(folder.path)) }
      #expect(try await same.value(for: 1) == 1)
      #expect(same.name.utf8.elementsEqual(Self.composed.utf8))
      try await same.removeAll()
      #expect(try await cache.value(for: 1) == nil)
      #expect(
        KeyStrategy<Int>.arguments(name: name).prefix.utf8
          .elementsEqual(KeyStrategy<Int>.arguments(name: other).prefix.utf8)
      )
    }
    #expect(try POSIXFileSystem().list(folder.path).count == 1)
    #expect(throws: CacheError.self) {
      try Caches {
        Feature(Self.composed) { Memory() }
        Feature(Self.decomposed) { Memory() }
      }
    }
  }
}
