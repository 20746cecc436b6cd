import CacheAside
import Foundation
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct MigratingFromAwesomeCacheTests {
  @Test func `an example`() async throws {
    try await withTemporaryFolder { folder in
      let directory = URL(fileURLWithPath: folder)
      // snippet: An example
      let cache = try ObjectCache<Profile>(name: "profiles", directory: directory)

      cache["me"] = Profile(name: "Ada")
      cache.setObject(Profile(name: "Grace"), forKey: "you", expires: .seconds(300))
      let me = cache["me"]
      #expect(me == Profile(name: "Ada"))
      cache["me"] = nil

      cache.setObject(
        forKey: "me",
        cacheBlock: { success, failure in
          api.profile { result in
            switch result {
            case .success(let profile): success(profile, .seconds(300))
            case .failure(let error): failure(error)
            }
          }
        },
        completion: { object, isLoadedFromCache, error in
          if let object { print(object.name, isLoadedFromCache) } else if let error { print(error) }
        }
      )
      // end
      #expect(cache.object(forKey: "me") == Profile(name: "Ada"))
      #expect(cache.isOnMemory(forKey: "you"))
      #expect(cache.allObjects().count == 2)
      cache.removeAllObjects()
      #expect(cache.allObjects(includeExpired: true).isEmpty)
    }
  }

  @Test func `from callbacks to async`() async throws {
    let cache = try ObjectCache<Profile>(name: "profiles") { Memory() }
    // snippet: From callbacks to async
    let me = try await cache.cached("me", expiry: .seconds(300)) {
      try await Produced<Profile> { success, failure in
        api.profile { result in
          switch result {
          case .success(let profile): success(profile, .seconds(300))
          case .failure(let error): failure(error)
          }
        }
      }
    }
    // end
    #expect(me == Profile(name: "Ada"))
    #expect(cache["me"] == me)
  }
}
