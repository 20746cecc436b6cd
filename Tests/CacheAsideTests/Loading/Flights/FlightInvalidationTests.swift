import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct FlightInvalidationTests {
  let cache = FlightFixture<Int>()

  @Test
  func `B005 F5 the end of an old run does not unregister its successor`() async throws {
    let first = FlightGate<Int>()
    let second = FlightGate<Int>()
    let one = Task { try await cache.get("k") { try await first() } }
    await until { first.calls == 1 }
    cache.remove("k")
    let two = Task { try await cache.get("k") { try await second() } }
    await until { second.calls == 1 }
    first.release(1)
    #expect(try await one.value == 1)
    let three = Task { try await cache.load("k") { try await second() } }
    await cache.waiters(2)
    second.release(2)
    #expect(try await two.value == 2)
    let (output, joined) = try await three.value
    #expect(output == 2 && joined)
    #expect(first.calls + second.calls == 2)
    #expect(cache.isQuiet)
  }

  @Test(arguments: [true, false])
  func `B013 F4 a load that began before the removal is not stored`(oldEndsFirst: Bool) async throws
  {
    let old = FlightGate<Int>()
    let new = FlightGate<Int>()
    let before = Task { try await cache.get("k") { try await old() } }
    await until { old.calls == 1 }
    cache.remove("k")
    let after = Task { try await cache.get("k") { try await new() } }
    await until { new.calls == 1 }
    for gate in oldEndsFirst ? [old, new] : [new, old] {
      gate.release(gate === old ? 1 : 2)
      _ = try await (gate === old ? before : after).value
      #expect(cache.peek("k") != 1)
    }
    #expect(try await before.value == 1)
    #expect(try await after.value == 2)
    #expect(cache.peek("k") == 2)
    #expect(cache.isQuiet)
  }

  @Test
  func `B015 F4 removing some keys reaches their loads only`() async throws {
    let gate = FlightGate<Int>()
    let tasks = ["a", "b"].map { key in Task { try await cache.get(key) { try await gate() } } }
    await until { gate.calls == 2 }
    cache.table.supersede("a", hash: UInt64(bitPattern: Int64("a".hashValue)))
    gate.release(1)
    for task in tasks { #expect(try await task.value == 1) }
    #expect(cache.peek("a") == nil)
    #expect(cache.peek("b") == 1)
    #expect(cache.isQuiet)
  }

  @Test
  func `F4 a write during a load wins, and a load after it starts anew`() async throws {
    let gate = FlightGate<Int>()
    let load = Task { try await cache.get("k") { try await gate() } }
    await until { gate.calls == 1 }
    cache.set("k", 7)
    gate.release(1)
    #expect(try await load.value == 1)
    #expect(cache.peek("k") == 7)
    #expect(cache.isQuiet)
  }

  @Test
  func `F4 a promotion gives way to a write and to a removal, and closes nobody else`() async throws
  {
    let table = cache.table
    let hash = UInt64(bitPattern: Int64("k".hashValue))
    let gate = FlightGate<Int>()
    let load = Task { try await cache.get("k") { try await gate() } }
    await until { gate.calls == 1 }
    let promotion = table.register("k", hash: hash)
    let other = table.register("k", hash: hash)
    #expect(table.registrationCount == 3)
    #expect(cache.store(1, for: "k", by: promotion))
    table.unregister(promotion, key: "k", hash: hash)
    #expect(!cache.store(9, for: "k", by: promotion))
    #expect(!other.isSuperseded)

    let writer = table.registerWriter("k", hash: hash)
    #expect(other.isSuperseded)
    #expect(table.registrationCount == 1)
    #expect(!cache.store(2, for: "k", by: other))
    #expect(cache.store(3, for: "k", by: writer))
    table.unregister(other, key: "k", hash: hash)
    #expect(cache.store(4, for: "k", by: writer))
    cache.remove("k")
    #expect(!cache.store(5, for: "k", by: writer))
    table.unregister(writer, key: "k", hash: hash)
    #expect(cache.peek("k") == nil)
    gate.release(6)
    #expect(try await load.value == 6)
    #expect(cache.peek("k") == nil)
    #expect(cache.isQuiet)
  }

  @Test
  func `F4 the older of two writes does not store after the newer`() {
    let older = cache.table.registerWriter("k", hash: 1)
    let newer = cache.table.registerWriter("k", hash: 1)
    #expect(cache.table.commit(older, key: "k", hash: 1) { 1 } == nil)
    #expect(cache.table.commit(newer, key: "k", hash: 1) { 2 } == 2)
  }
}
