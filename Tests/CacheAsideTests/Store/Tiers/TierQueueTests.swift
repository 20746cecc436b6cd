import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct TierQueueTests {
  @Test func `draining waits for what was queued before, and for nothing newer`() async throws {
    let queue = TierQueue()
    let done = EventRecorder<Int>()
    let gates = (0..<3).map { _ in Gate() }
    func add(_ number: Int) {
      queue.add(.system) {
        await gates[number].waitIgnoringCancellation()
        done.record(number)
      }
    }
    add(0)
    try await gates[0].waitForArrivals(1)
    add(1)
    async let drained: Void = queue.drain()
    await until { queue.waiterCount == 1 }
    add(2)
    gates[0].open()
    gates[1].open()
    await drained
    #expect(done.events == [0, 1])
    #expect(!queue.isIdle)
    gates[2].open()
    await queue.drain()
    #expect(done.events == [0, 1, 2])
    #expect(queue.isIdle)
  }
}
