import CacheAside
import Foundation
import Testing

/// Two small programs of an app whose code is on the main actor by default, and what they print.
@Suite(.timeLimit(.minutes(60)))
struct UncodableValueTests {
  // Isolated to the main actor, and so is its conformance: what Xcode makes of a new file.
  struct Account: Codable {
    var name: String
  }

  struct Session: Sendable {
    var token: String
  }

  /// What a program prints on standard error, as lines of the cache.
  private func lines(_ result: ExitTest.Result?) throws -> [Substring] {
    let bytes = try #require(result).standardErrorContent
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("CacheAside:") }
  }

  /// The whole of it.
  private static func expected(_ feature: String, _ type: String) -> String {
    "CacheAside: feature \"\(feature)\": values never reach the stores and stay in memory: \(type) is "
      + "not Codable, or only on the main actor; declare it `nonisolated struct \(type): Codable`, or "
      + "give the cache a codec of your own with `codec:`"
  }

  @Test func `a Codable struct of the main actor is spoken of once, on standard error (B366)`()
    async throws
  {
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardErrorContent]
    ) {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      let caches = try Caches {
        Feature("accounts", expiry: .hours(1)) {
          Memory()
          Disk(location: .directory(folder.path))
        }
        Feature("memory") { Memory() }
      }
      let fetch = try caches["accounts"].cached("account") { (id: Int) in Account(name: "\(id)") }
      for id in 1...3 { _ = try await fetch(id) }
      let quiet = try caches["memory"].cached("account") { (id: Int) in Account(name: "\(id)")
      }
      _ = try await quiet(1)
    }
    #if DEBUG
    #expect(try lines(result) == [Self.expected("accounts", "Account")[...]])
    #else
    #expect(try lines(result).isEmpty)
    #endif
  }

  @Test func `a struct that is not Codable is spoken of once, on standard error (B366)`()
    async throws
  {
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardErrorContent]
    ) {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      let cache = try Cache<Int, Session>(name: "sessions") {
        Memory()
        Disk(location: .directory(folder.path))
      }
      for id in 1...3 { try await cache.set(Session(token: "\(id)"), for: id) }
    }
    #if DEBUG
    #expect(try lines(result) == [Self.expected("sessions", "Session")[...]])
    #else
    #expect(try lines(result).isEmpty)
    #endif
  }

  @Test func `when strict, the call throws (B366)`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let caches = try Caches(strict: true) {
      Feature("accounts") {
        Memory()
        Disk(location: .directory(folder.path))
      }
    }
    let fetch = try caches["accounts"].cached("account") { (id: Int) in Account(name: "\(id)")
    }
    let error = await #expect(throws: CacheError.self) { _ = try await fetch(1) }
    #expect(error?.code == .unsupportedType)
    #expect(error?.message.contains("nonisolated struct Account: Codable") == true)
  }

  @Test func `a value that is not isolated reaches the disk (B366)`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    func open() throws -> Cache<Int, Profile> {
      try Cache(name: "profiles", strict: true) { Disk(location: .directory(folder.path)) }
    }
    try await open().set(Profile(id: 1, name: "a"), for: 1)
    #expect(try await open().value(for: 1)?.name == "a")
  }
}
