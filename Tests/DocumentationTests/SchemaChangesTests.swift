import CacheAside
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct SchemaChangesTests {
  private struct Settings: Codable, Sendable { var theme: String }

  @Test func `what happens by itself`() async throws {
    try await withTemporaryFolder { folder in
      func before() async throws {
        struct Profile: Codable {
          var name: String
          var score: Int
        }
        let profiles = try Cache<Int, Profile>(name: "profiles") {
          Disk(location: .directory(folder))
        }
        try await profiles.set(Profile(name: "Ada", score: 1), for: 42)
      }
      try await before()
      // snippet: What happens by itself
      struct Profile: Codable {
        var name: String
        var score: Double  // An Int in the last version.
      }

      let profiles = try Cache<Int, Profile>(name: "profiles") {
        Memory()
        Disk(location: .directory(folder))
      }
      let profile = try await profiles.cached(42) { try await fetchProfile(42) }
      // end
      @Sendable func fetchProfile(_ id: Int) async throws -> Profile {
        Profile(name: "Ada", score: 2.5)
      }
      #expect(profile.score == 2.5)
      #expect(profiles.statistics.loads == 1)
    }
  }

  @Test func `versions by hand`() async throws {
    try await withTemporaryFolder { folder in
      // snippet: Versions by hand
      let settings = try Cache<String, Settings>(name: "settings", codec: .json(version: 2)) {
        Disk(location: .directory(folder))
      }
      // end
      try await settings.set(Settings(theme: "dark"), for: "me")
      #expect(try await settings.value(for: "me")?.theme == "dark")
    }
  }
}
