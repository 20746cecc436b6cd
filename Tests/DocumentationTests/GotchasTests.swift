import CacheAside
import Foundation
import Synchronization
import Testing

@MainActor private final class Screen {
  static let shared = Screen()
  let title = "Library"
}

// snippet: Producers do not inherit your actor
actor Library {
  let shelf = "A"

  func title(_ id: Int) async throws -> String {
    try await cached(key: "title/\(id)") { [shelf] in "\(shelf)\(id)" }
  }
}
// end

// snippet: Values in modules that are on the main actor by default
nonisolated struct Article: Codable, Sendable {
  var title: String
}
// end

// snippet: A member of yours hides `cached`
struct Images {
  var cached: [Int: String] = [:]

  func image(_ id: Int) async throws -> String {
    if let image = cached[id] { return image }
    return try await CacheAside.cached(key: "image/\(id)") { "image \(id)" }
  }
}
// end

/// A reference to something that changes.
final class Draft: Codable, Sendable {
  private let stored: Mutex<String>

  var text: String {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }

  init(_ text: String) { stored = Mutex(text) }

  init(from decoder: any Decoder) throws {
    stored = Mutex(try decoder.singleValueContainer().decode(String.self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct GotchasTests {
  @Test func `producers do not inherit your actor`() async throws {
    #expect(try await Library().title(1) == "A1")
    // snippet: Producers do not inherit your actor
    let title = try await cached(key: "title") { @MainActor in Screen.shared.title }
    // end
    #expect(title == "Library")
    #expect(try await cached(key: "article") { Article(title: "A") }.title == "A")
  }

  @Test func `a member of yours hides cached`() async throws {
    #expect(try await Images().image(1) == "image 1")
    #expect(try await Images(cached: [1: "mine"]).image(1) == "mine")
  }

  @Test func `a function with another number of arguments`() async throws {
    // snippet: A function with another number of arguments
    struct Users {
      let fetch: Memoized<Int, User>
      let find: Keyed<String, User>
    }
    let users = Users(
      fetch: cached("user") { (id: Int) in try await api.user(id) },
      find: cached(key: { "user/\($0)" }) { (name: String) in User(id: 42, name: name) }
    )
    let user = try await users.find("Ada")
    // end
    #expect(user.name == "Ada")
    #expect(try await users.fetch(42) == user)
  }

  @Test func `an optional on the left`() async throws {
    // snippet: `let user: User?`
    let user: User? = try await cached(key: "user/42") { try await api.user(42) }
    let same = try await cached(key: "user/42") { User(id: 0, name: "not run") }
    #expect(user == same)
    // end
  }

  @Test func `nil is a value`() async throws {
    // snippet: `nil` is a value
    func user(named name: String) async throws -> User? {
      try await cached(key: "name/\(name)", storing: { $0 != nil }) {
        try await api.user(named: name)
      }
    }
    // end
    #expect(try await user(named: "Ada") == nil)
    #expect(try Caches.current["default"].statistics.entries == 0)
  }

  @Test func `the first lifetime counts`() async throws {
    // snippet: The first lifetime counts
    let first = try await cached(key: "pi", expiry: .hours(1)) { 3.14 }
    let second = try await cached(key: "pi", expiry: .seconds(1)) { 3.15 }
    #expect(second == first)
    // end
  }

  @Test func `stale windows are decided when a value is stored`() async throws {
    // snippet: Stale windows are decided when a value is stored
    let first = try await cached(key: "rate", expiry: .hours(1)) { 1.1 }
    let wish = CachePolicy(staleIfError: .hours(24))
    let same = try await cached(key: "rate", policy: wish) { 1.2 }  // changes nothing
    #expect(same == first)
    // end
  }

  @Test func `not modified without a previous value`() async {
    // snippet: `.notModified` without a previous value
    let error = await #expect(throws: CacheError.self) {
      try await cached(key: "page") { () async throws -> Produced<String> in .notModified }
    }
    #expect(error?.code == .unexpectedNotModified)
    // end
  }

  @Test func `a mutable object is one object in memory and a copy from disk (B322)`() async throws {
    try await withTemporaryFolder { folder in
      // snippet: A mutable object is one object in memory and a copy from disk
      let drafts = try Cache<Int, Draft>(name: "drafts") {
        Memory()
        Disk(location: .directory(folder))
      }
      let draft = Draft("hello")
      try await drafts.set(draft, for: 1)
      draft.text = "changed"  // no write
      #expect(try await drafts.value(for: 1)?.text == "changed")  // the same object

      drafts.removeAllFromMemory()
      #expect(try await drafts.value(for: 1)?.text == "hello")  // what was stored
      // end
    }
  }

  @Test func `a cached function inside another`() async throws {
    // snippet: A cached function inside another
    let fetchUser = cached("user", expiry: .minutes(1), tags: ["users"]) { (id: Int) in
      try await api.user(id)
    }
    let greet = cached("greeting", expiry: .minutes(1), tags: ["users"]) { (id: Int) in
      "Hello, \(try await fetchUser(id).name)"
    }
    _ = try await greet(42)
    try await fetchUser.remove(42)
    #expect(greet.peek(42) != nil)  // still there

    try await Caches.current["default"].remove(.tag("users"))
    #expect(greet.peek(42) == nil)
    // end
  }

  @Test func `links in the path of a folder are followed, links inside it are not`() async throws {
    try await withTemporaryFolder { folder in
      let real = folder + "/real"
      let link = folder + "/link"
      try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
      let one = try Cache<Int, Int>(name: "one") { Disk(location: .directory(link + "/below")) }
      let other = try Cache<Int, Int>(name: "one") { Disk(location: .directory(real + "/below")) }
      try await one.set(1, for: 1)
      #expect(try await other.value(for: 1) == 1)
      let itself = try Cache<Int, Int>(name: "two") { Disk(location: .directory(link)) }
      try await itself.set(2, for: 2)
      #expect(try await itself.value(for: 2) == 2)
    }
  }

  @Test func `a memory table is full at 98 percent`() throws {
    // snippet: A memory table is full at 98 %
    let months = try Cache<Int, String>(name: "months") { Memory(.count(12), exact: true) }
    for month in 1...12 { months[month] = "month \(month)" }
    #expect(months.count == 12)
    // end
  }
}
