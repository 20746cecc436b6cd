import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

struct TierOperationTests {
  @Test func `finishing waits for queued work and refuses what comes later (B364)`() async throws {
    let fixture = try TierFixture(.suspending)
    let tier = fixture.cache.core.tiers[0]
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    fixture.cache["a"] = 1
    fixture.cache["b"] = 2
    try await gate.waitForArrivals(1)
    #expect(tier.operations.count == 2)
    let isDone = Lock(false)
    let finishing = Task {
      let left = await tier.finish(within: nil)
      isDone.withLock { $0 = true }
      return left
    }
    while !tier.operations.isClosing { await Task.yield() }
    #expect(!isDone.withLock { $0 })
    #expect(throws: CacheError.self) { try tier.operations.begin(.write) }
    gate.open()
    #expect(await finishing.value == [])
    #expect(try await fixture.record("b") != nil)
    #expect(tier.operations.count == 0)
  }

  @Test func `finishing says what has not ended by its deadline (B364)`() async throws {
    let fixture = try TierFixture(.suspending)
    let tier = fixture.cache.core.tiers[0]
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    fixture.cache["a"] = 1
    fixture.cache["b"] = 2
    try await gate.waitForArrivals(1)
    let sleeps = fixture.clock.pendingSleeps
    let finishing = Task { await tier.finish(within: 500_000_000) }
    while fixture.clock.pendingSleeps == sleeps { await Task.yield() }
    try await fixture.clock.advance(by: .milliseconds(500))
    let left = await finishing.value
    #expect(left.count == 2)
    #expect(left.first?.hasPrefix("write of") == true)
    gate.open()
    await tier.queue.drain()
    #expect(try await fixture.record("b") == nil)
    // What had been given up ends on its own.
    while tier.operations.count > 0 { await Task.yield() }
  }
}
