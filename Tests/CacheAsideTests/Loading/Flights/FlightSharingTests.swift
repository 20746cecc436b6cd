import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct FlightSharingTests {
  let cache = FlightFixture<Int>()

  @Test
  func `F3 a producer's own CancellationError goes to all waiters and is not kept`() async throws {
    let gate = FlightGate<Int>()
    let tasks = (0..<3).map { _ in Task { try await cache.get("k") { try await gate() } } }
    await cache.waiters(3)
    gate.fail(CancellationError())
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(gate.calls == 1)
    #expect(gate.cancelled == 0)
    #expect(try await cache.get("k") { 2 } == 2)
    #expect(cache.isQuiet)
  }

  @Test
  func `F3 waiters of different kinds and times get the same object`() async throws {
    final class Box: Sendable {}
    let cache = FlightFixture<Box>()
    let gate = FlightGate<Box>()
    let tasks = (0..<5).map { _ in Task { try await cache.get("k") { try await gate() } } }
    await cache.waiters(5)
    let told = Lock<Box?>(nil)
    cache.getCallback("k", start: { _ in }) { result, _ in
      told.withLock { $0 = try? result.get() }
    }
    let box = Box()
    gate.release(box)
    for task in tasks { #expect(try await task.value === box) }
    await until { told.withLock { $0 } != nil }
    #expect(told.withLock { $0 } === box)
  }

  @Test
  func `F5 when the first waiter is told the value is stored and the flight is gone`() throws {
    let seen = Lock<[String]>([])
    let cache = cache
    var handle: CallbackAnswer<Int>?
    let look: @Sendable (Result<Int, any Error>, Bool) -> Void = { result, _ in
      let registered = cache.table.registrationCount
      seen.withLock {
        $0.append("\(cache.peek("k") ?? 0) \(registered) \(cache.table.waiterCount)")
      }
    }
    cache.getCallback("k", start: { handle = $0 }, completion: look)
    cache.getCallback("k", start: { _ in }, completion: look)
    let answer = try #require(handle)
    answer.answer {
      cache.store(4, for: "k", by: answer.registration)
      return .success(4)
    }
    #expect(seen.withLock { $0 } == ["4 0 0", "4 0 0"])
  }

  @Test
  func `F5 waiters are woken in the order in which they came, whatever slots they use`() throws {
    let order = Lock<[Int]>([])
    let flight = Flight<Int>(
      registration: Registration(),
      whenUnobserved: .finish,
      priority: .medium,
      time: .system,
      counters: FlightCounters(),
      unlink: { _ in [] }
    )
    var slots: [WaiterSlot] = []
    func join(_ name: Int) throws {
      let slot = try #require(flight.join(priority: .medium))
      slots.append(slot)
      #expect(flight.park(.callback { _ in order.withLock { $0.append(name) } }, in: slot) == nil)
    }
    for name in 0..<5 { try join(name) }
    flight.leave(slots[1])
    flight.leave(slots[3])
    for name in 5..<8 { try join(name) }
    #expect(Set(slots).count == slots.count)
    #expect(Set(slots.map(\.index)).count < slots.count)
    flight.complete(.success(1))
    #expect(flight.join(priority: .medium) == nil)
    let woken = order.withLock { $0 }
    #expect(woken.filter { $0 != 1 && $0 != 3 } == [0, 2, 4, 5, 6, 7])
  }
}
