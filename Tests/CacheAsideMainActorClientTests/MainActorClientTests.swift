import CacheAside
import Testing

/// Everything as an app with default isolation to the main actor uses it.
@Suite(.timeLimit(.minutes(60)))
struct MainActorClientTests {
  @Test
  func `callables of a model on the main actor load once`() async throws {
    let service = ProfileService()
    let model = try ProfileModel(service: service, caches: .inMemory)
    try await model.show(1)
    try await model.show(1)
    #expect(model.shown == Profile(id: 1, name: "profile 1"))
    #expect(await service.loads == 1)
    #expect(try await model.fetchName(2) == "profile 2")
    #expect(try await model.search("swift", 3) == [Profile(id: 3, name: "profile 3")])
    #expect(await service.loads == 3)
    #expect(try await model.fetchProfile.outcome(1).isLoadedFromCache)
    try await model.fetchProfile.remove(1)
    #expect(model.fetchProfile.peek(1) == nil)
    #expect(try await model.fetchProfile.refresh(1).id == 1)
  }

  @Test
  func `producers do the main actor's work`() async throws {
    let model = try ProfileModel(service: ProfileService(), caches: .inMemory)
    try await model.show(4)
    #expect(try await model.title() == "profile 4")
    #expect(try await model.revision() == 1)
    #expect(try await model.revision() == 1)
  }

  @Test
  func `global forms use the current caches`() async throws {
    let service = ProfileService()
    let name = try await Caches.withCurrent(.inMemory) {
      let fetch = cached("profile") { (id: Int) in Produced(await service.profile(id)) }
      _ = try await fetch(7)
      return try await cached(key: "name/\(7)") { try await fetch(7).name }
    }
    #expect(name == "profile 7")
    #expect(await service.loads == 1)
  }

  @Test
  func `callback code gets its objects on the main actor`() async throws {
    let cache = try ObjectCache<Profile>(name: "profiles") { Memory() }
    cache["me"] = Profile(id: 1, name: "me")
    #expect(cache["me"]?.id == 1)
    cache.setObject(Profile(id: 2, name: "you"), forKey: "you", expires: .seconds(300))
    #expect(cache.object(forKey: "you")?.name == "you")

    let service = ProfileService()
    var shown: [Profile?] = []
    cache.setObject(
      forKey: "three",
      cacheBlock: { success, failure in
        service.profile(3) { result in
          switch result {
          case .success(let profile): success(profile, .never)
          case .failure(let error): failure(error)
          }
        }
      },
      completionOnMain: { object, isLoadedFromCache, error in
        MainActor.assertIsolated()
        #expect(!isLoadedFromCache && error == nil)
        shown.append(object)
      }
    )
    #expect(shown == [Profile(id: 3, name: "profile 3")])
    let profile = try await cached(key: "block/\(Int.random(in: 0...9))", mode: .bypass) {
      try await Produced { success, failure in
        service.profile(5) { result in
          switch result {
          case .success(let profile): success(profile, .minutes(5))
          case .failure(let error): failure(error)
          }
        }
      }
    }
    #expect(profile.id == 5)
  }

  @Test
  func `a configuration is made and asked on the main actor`() async throws {
    let caches = try Caches {
      Defaults(expiry: .minutes(10))
      Feature("profiles", expiry: .minutes(5)) { Memory(.count(100)) }
    }
    let table = try caches["profiles"].cache(Int.self, Profile.self)
    #expect(try await table.cached(1) { Profile(id: 1, name: "one") }.name == "one")
    #expect(table[1]?.name == "one")
    try await table.removeAll()
    #expect(table.peek(1) == nil)
    try await caches.close()
  }
}
