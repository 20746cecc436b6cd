import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60))) struct DiskShardsTests {
  @Test func `the locks are made by the first use, once for all who come at the same time`()
    async
  {
    let shards = DiskShards(0)
    #expect(!shards.areUsed)
    await withTaskGroup { group in
      for index in 0..<1_000 {
        group.addTask { shards[index % 256].value.withLock { $0 += 1 } }
      }
    }
    #expect(shards.areUsed)
    let values = (0..<256).map { shards[$0].value.withLock { $0 } }
    #expect(values.reduce(0, +) == 1_000)
    #expect(values[0] == 4)
  }
}
