import Testing

@testable import CacheAside

/// A dead tag or clustered shards are noticed by no functional test, only by slow reads.
@Suite struct HashSpreadTests {
  /// How far the fullest bucket may be above the mean.
  private func fullest(_ buckets: [Int]) -> Double {
    let mean = Double(buckets.reduce(0, +)) / Double(buckets.count)
    return Double(buckets.max() ?? 0) / mean
  }

  private func check(_ hashes: [UInt64], _ what: String) {
    var shards = [Int](repeating: 0, count: 16)
    var tags = [Int](repeating: 0, count: 64)
    var homes = [Int](repeating: 0, count: 64)
    var tagsByHome = [Int](repeating: 0, count: 64)
    for hash in hashes {
      let tag = Int(PositionTable.tag(hash) >> 24)
      let home = Int(UInt32(truncatingIfNeeded: hash) >> 26)
      shards[Int(hash >> 60)] += 1
      tags[tag] += 1
      homes[home] += 1
      // Equal bits in tag and home would leave only a few of these filled.
      tagsByHome[tag ^ home] += 1
    }
    #expect(fullest(shards) < 1.25, "shards, \(what)")
    #expect(fullest(tags) < 1.4, "tags, \(what)")
    #expect(fullest(homes) < 1.4, "homes, \(what)")
    #expect(fullest(tagsByHome) < 1.4, "tags beside homes, \(what)")
  }

  @Test(arguments: [0, 3, 12, 20, 32, 40])
  func `spreads shard, tag and home bits of integers at any distance`(shift: Int) {
    for seed in [0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, 0x5555_0000_AAAA_FFFF] as [UInt64] {
      let hashes = (0..<32_768).map { FoldedHash.fold(UInt64($0) << UInt64(shift), seed: seed) }
      check(hashes, "integers << \(shift)")
    }
  }

  @Test func `spreads shard, tag and home bits of strings`() throws {
    let store = try MemoryStore<String, Int>(limits: .unlimited)
    check((0..<32_768).map { store.hash(of: "user/\($0)") }, "strings")
  }

  @Test func `spreads the sketch's block and counters, which come from half the hash`() {
    let hashes = (0..<32_768).map { key in
      FoldedHash.spread(UInt64(UInt32(truncatingIfNeeded: FoldedHash.fold(UInt64(key), seed: 99))))
    }
    check(hashes, "sketch hashes")
  }

  @Test func `hashes narrow integers as the table reads them back`() throws {
    let store = try MemoryStore<Int8, Int>(limits: .count(64))
    for key in Int8.min ... .max { store.insert(Int(key), for: key) }
    #expect(store.count == 64)
    let wide = try MemoryStore<Int32, Int>(limits: .unlimited)
    for key in Int32(-500)..<500 { wide.insert(Int(key), for: key) }
    #expect((Int32(-500)..<500).allSatisfy { wide.value(for: $0) == Int($0) })
  }

  @Test func `integer keys can be hashed against flooding`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(1000), resistsFlooding: true)
    for key in 0..<3000 { store.insert(key, for: key) }
    #expect(store.hash(of: 1) != FoldedHash.fold(1, seed: store.seed))
    #expect(store.count == 1000)
    #expect(store.keys().allSatisfy { store.value(for: $0) == $0 })
  }
}
