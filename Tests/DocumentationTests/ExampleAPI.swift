// What the examples of the pages put a cache in front of.

struct User: Codable, Hashable, Identifiable, Sendable {
  var id: Int
  var name: String
}

struct Profile: Codable, Hashable, Sendable {
  var name: String
}

struct Token: Codable, Hashable, Sendable {
  var text: String
  var secondsToLive: Double
}

struct Feed: Codable, Hashable, Sendable {
  var items: [String]
}

/// A feed, unless it is the version that the caller has.
struct FeedResponse: Sendable {
  var feed: Feed?
  var etag: String
}

/// The `api` of the pages.
struct ExampleAPI: Sendable {
  func user(_ id: Int) async throws -> User { User(id: id, name: "Ada") }

  /// All that exist; the third does not.
  func users(_ ids: [Int]) async throws -> [User] {
    ids.filter { $0 != 3 }.map { User(id: $0, name: "Ada") }
  }

  func user(named name: String) async throws -> User? { nil }

  func profile(_ id: Int) async throws -> Profile { Profile(name: "Ada") }

  func profile(_ completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) {
    completion(.success(Profile(name: "Ada")))
  }

  func search(_ words: String, page: Int) async throws -> [String] { ["\(words) \(page)"] }

  func token(for scope: String) async throws -> Token { Token(text: scope, secondsToLive: 120) }

  func feed(_ name: String, ifNoneMatch etag: String?) async throws -> FeedResponse {
    FeedResponse(feed: etag == "v1" ? nil : Feed(items: ["\(name) 1"]), etag: "v1")
  }

  func avatar(of user: User) async throws -> [UInt8] { [UInt8(truncatingIfNeeded: user.id)] }
}

let api = ExampleAPI()
