import Testing

@testable import CacheAside

@Suite struct MemoryLimitsTests {
  @Test(arguments: [
    (MemoryLimits.unlimited, 16), (.count(0), 1), (.count(511), 1), (.count(512), 2),
    (.count(1023), 2), (.count(4096), 16), (.count(1_000_000), 16), (.cost(1 << 20), 1),
    (.cost(8_000_000), 4), (.cost(1 << 24), 16),
    (MemoryLimits(costLimit: 10_000, expectedEntryCost: 1), 16),
    (MemoryLimits(costLimit: 1 << 24, expectedEntryCost: 1 << 14), 4),
    (MemoryLimits(costLimit: 1 << 24, entryCostLimit: 1 << 23), 2),
    (MemoryLimits(countLimit: 600, costLimit: 1 << 30), 2),
  ])
  func `allow as many shards as leave each enough`(limits: MemoryLimits, expected: Int) throws {
    #expect(try MemoryStore<Int, Int>(limits: limits).shardCount == expected)
    #expect(try MemoryStore<Int, Int>(limits: limits, exact: true).shardCount == 1)
  }

  @Test func `are split without a rest`() {
    let limits = MemoryLimits(countLimit: 4099, costLimit: 1003)
    let parts = (0..<16).map { limits.part(of: $0, among: 16) }
    #expect(parts.compactMap(\.countLimit).reduce(0, +) == 4099)
    #expect(parts.compactMap(\.costLimit).reduce(0, +) == 1003)
    #expect(parts[2].countLimit == 257)
    #expect(parts[3].countLimit == 256)
  }

  @Test(arguments: [
    MemoryLimits.count(-1), .cost(-1), MemoryLimits(entryCostLimit: -1),
    MemoryLimits(expectedEntryCost: -1),
  ])
  func `B080 refuse negative numbers`(limits: MemoryLimits) throws {
    let error = try #require(throws: CacheError.self) {
      try MemoryStore<Int, Int>(limits: limits)
    }
    #expect(error.code == .invalidConfiguration)
    #expect(error.message.contains("is -1"))
  }
}
