import CacheAside

/// A model of an app: everything on the main actor, the caches in front of the service.
final class ProfileModel {
  let service: ProfileService
  let feature: CacheFeature
  let fetchProfile: Keyed<Int, Profile>
  let fetchName: Memoized<Int, String>
  let search: MemoizedFunction<ArgumentPair<String, Int>, [Profile], String, Int>
  private(set) var shown: Profile?

  init(service: ProfileService, caches: Caches) throws {
    let feature = try caches["profiles"]
    self.service = service
    self.feature = feature
    fetchProfile = feature.cached(key: { "profile/\($0)" }, expiry: .hours(1)) { (id: Int) in
      await service.profile(id)
    }
    fetchName = feature.cached("name") { (id: Int) in await service.profile(id).name }
    search = feature.cached("search", expiry: .minutes(30)) { (query: String, page: Int) in
      [await service.profile(page)]
    }
  }

  func show(_ id: Int) async throws {
    shown = fetchProfile.peek(id)
    if shown == nil { shown = try await fetchProfile(id) }
  }

  func title() async throws -> String {
    let shown = shown
    return try await feature.cached(key: "title/\(shown?.id)") { @MainActor in
      shown?.name ?? "nobody"
    }
  }

  /// Work of the main actor behind a cached call.
  func revision() async throws -> Int {
    try await feature.cached(key: "revision") { await self.nextRevision() }
  }

  private var revisions = 0

  private func nextRevision() -> Int {
    revisions += 1
    return revisions
  }
}
