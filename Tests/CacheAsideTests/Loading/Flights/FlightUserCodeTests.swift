import Synchronization
import Testing

@testable import CacheAside

/// User code that calls back into the table; it would never return under one of its locks.
private final class Reentry: Sendable {
  private let look = Lock<(@Sendable () -> Int)?>(nil)
  let calls = FlightCalls()

  func aim(_ look: @escaping @Sendable () -> Int) { self.look.withLock { $0 = look } }

  func run() {
    guard let look = look.withLock({ $0 }) else { return }
    _ = look()
    calls.next()
  }
}

@Suite(.timeLimit(.minutes(60)))
struct FlightUserCodeTests {
  /// A key whose hash and whose last release run user code.
  private struct Key: Hashable, Sendable {
    final class Part: Sendable {
      let reentry: Reentry
      init(_ reentry: Reentry) { self.reentry = reentry }
      deinit { reentry.run() }
    }

    let id: Int
    let part: Part
    let hashing: Reentry

    static func == (one: Key, other: Key) -> Bool { one.id == other.id }

    func hash(into hasher: inout Hasher) {
      hashing.run()
      hasher.combine(id)
    }
  }

  /// A value whose last release runs user code.
  private final class Value: Sendable {
    let reentry: Reentry
    init(_ reentry: Reentry) { self.reentry = reentry }
    deinit { reentry.run() }
  }

  private let table = FlightTable<Key, Value>(time: .system)
  private let hashing = Reentry()
  private let releasing = Reentry()

  init() {
    let table = table
    hashing.aim { table.registrationCount }
    releasing.aim { table.registrationCount }
  }

  private func key(_ id: Int) -> Key { Key(id: id, part: Key.Part(releasing), hashing: hashing) }

  @Test
  func `F6 the table never hashes a user's key`() async throws {
    for id in 0..<100 {
      _ = table.register(key(id), hash: UInt64(id))
      _ = table.registerWriter(key(id), hash: UInt64(id))
    }
    for id in 0..<50 { table.supersede(key(id), hash: UInt64(id)) }
    table.supersedeAll()
    _ = try await table.load(
      key(1),
      hash: 1,
      whenUnobserved: .cancel,
      probe: { nil },
      run: { [releasing] _ in Value(releasing) }
    )
    #expect(hashing.calls.count == 0)
  }

  @Test
  func `F6 keys and values are released outside the locks`() async throws {
    for id in 0..<100 {
      let registration = table.register(key(id), hash: UInt64(id))
      table.unregister(registration, key: key(id), hash: UInt64(id))
      _ = table.register(key(id), hash: UInt64(id))
      _ = table.registerWriter(key(id), hash: UInt64(id))
      table.supersede(key(id), hash: UInt64(id))
      _ = table.register(key(id), hash: UInt64(id))
    }
    for id in 0..<50 { table.supersede(key(id), hash: UInt64(id)) }
    table.supersedeAll()
    #expect(releasing.calls.count >= 300)
    let before = releasing.calls.count
    for id in 0..<100 {
      let (value, _) = try await table.load(
        key(id),
        hash: UInt64(id),
        whenUnobserved: .cancel,
        probe: { nil },
        run: { [releasing] _ in Value(releasing) }
      )
      _ = value
    }
    await until { releasing.calls.count >= before + 200 }
  }

  @Test
  func `F6 the result of a flight that was given up is released outside the locks`() async throws {
    let gate = FlightGate<Int>(heedsCancellation: false)
    let task = Task { [table, releasing] in
      try await table.load(
        key(1),
        hash: 1,
        whenUnobserved: .cancel,
        probe: { nil },
        run: { _ in
          _ = try await gate()
          return Value(releasing)
        }
      ).joined
    }
    await until { gate.calls == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let before = releasing.calls.count
    gate.release(1)
    await until { releasing.calls.count > before }
  }

  @Test
  func `F6 what a flight offered before is released outside its lock`() {
    let (flight, slot, _) = table.enter(
      HashedKey(key: key(1), hash: 1),
      supersedes: false,
      whenUnobserved: .finish,
      priority: .medium
    )
    let reentry = Reentry()
    reentry.aim { [weak flight] in flight?.waiterCount ?? 0 }
    func offer(_ value: Value) { flight.offer { _ in value } }
    offer(Value(reentry))
    #expect(reentry.calls.count == 0)
    flight.offer { _ in nil }
    #expect(reentry.calls.count == 1)
    flight.leave(slot)
    flight.complete(.failure(FlightTestError.boom))
  }

  @Test
  func `F6 completions and probes run outside the locks`() {
    let hash: UInt64 = 5
    let table = table
    let first = key(1)
    table.loadCallback(
      first,
      hash: hash,
      probe: {
        #expect(table.registrationCount == 1)
        return nil
      },
      start: { [releasing] answer in
        #expect(table.registrationCount == 1)
        answer.answer {
          #expect(table.registrationCount == 1)
          return .success(Value(releasing))
        }
        answer.answer { .failure(FlightTestError.boom) }
      },
      onSecondAnswer: { #expect(table.registrationCount == 0) },
      completion: { _, _ in
        #expect(table.registrationCount == 0)
        #expect(table.waiterCount == 0)
      }
    )
  }
}
