import Foundation
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct RealClockTests {
  @Test func `B098 entries that many callers expire at once are removed once`() async throws {
    let cache = try Cache<Int, Int>(name: "f", expiry: .milliseconds(1)) {
      Memory(.count(50), exact: true)
    }
    let wrong = await withTaskGroup(of: Int.self) { group in
      for seed in 0..<16 {
        group.addTask {
          var random = SplitMix(state: UInt64(seed))
          var wrong = 0
          for _ in 0..<12_500 {
            let key = Int.random(in: 0..<30, using: &random)
            do {
              if Int.random(in: 0..<4, using: &random) == 0 {
                try await cache.removeExpired()
              } else if try await cache.cached(key, { key }) != key {
                wrong += 1
              }
            } catch {
              wrong += 1
            }
          }
          return wrong
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
    #expect(cache.count <= 30)
  }

  @Test func `B109 the core needs no networking module`() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let sources = root.appendingPathComponent("Sources/CacheAside").path
    let files = try #require(FileManager.default.enumerator(atPath: sources))
    var count = 0
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: sources + "/" + file, encoding: .utf8)
      #expect(!text.contains("FoundationNetworking"), "\(file)")
      count += 1
    }
    #expect(count > 100)
  }
}
