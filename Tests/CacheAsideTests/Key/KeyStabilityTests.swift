import Foundation
import Testing

@testable import CacheAside

@Suite struct KeyStabilityTests {
  @Test(arguments: KeyGoldenVector.all)
  func `B038 K1 the bytes are those of the golden vectors`(vector: KeyGoldenVector) {
    #expect(Hex.lowercase(vector.bytes) == vector.hex)
  }

  @Test func `file names are pinned`() {
    let key = ("user/42" as CacheKey).within(Namespace("profiles", version: 2))
    #expect(key.qualified == "profiles@2:user/42")
    #expect(
      key.fileName == "150bb3980834f3074ec63a8b0f84d6061876db4658c3c494a78e5295906c89ae"
    )
  }

  @Test(.timeLimit(.minutes(60)))
  func `B036 B037 K1 five processes derive the same bytes and names`() async throws {
    var outputs: Set<Substring> = []
    var seeds: Set<Substring> = []
    for _ in 0..<5 {
      let result = try await #require(
        processExitsWith: .success,
        observing: [\.standardOutputContent]
      ) {
        print("keys: " + KeyStabilityTests.fingerprint())
        print("seed: \("x".hashValue)")
      }
      let output = String(decoding: result.standardOutputContent, as: UTF8.self)
      let lines = output.split(separator: "\n")
      outputs.formUnion(lines.filter { $0.hasPrefix("keys: ") })
      seeds.formUnion(lines.filter { $0.hasPrefix("seed: ") })
    }
    #expect(seeds.count == 5, "the processes must hash differently for this test to say anything")
    #expect(outputs == ["keys: \(Self.fingerprint())"])
  }

  /// Everything that must not depend on the process, in one line.
  static func fingerprint() -> String {
    let words = (0..<20).map { "w\($0)" }.shuffled()
    var tags = Set<String>(minimumCapacity: Int.random(in: 1...500))
    var opts = [String: Int](minimumCapacity: Int.random(in: 1...500))
    for word in words {
      tags.insert(word)
      opts[word] = word.count
    }
    let value = GoldenCodable(tags: tags, opts: opts)
    let keys = [
      "a/\(value)" as CacheKey, CacheKey(name: "f", arguments: value, tags, opts, 1, "x"),
      ("x" as CacheKey).within(Namespace("n", scope: CacheScope(["b": "1", "a": "2"]))),
    ]
    return keys.map { "\($0.qualified) \($0.fileName)" }.joined(separator: " ")
  }
}
