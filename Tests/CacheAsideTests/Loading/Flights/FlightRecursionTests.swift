import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct FlightRecursionTests {
  let cache = FlightFixture<Int>()
  let texts = FlightFixture<String>()

  private static func isRecursion(_ error: any Error) -> Bool {
    (error as? CacheError)?.code == .recursiveLoad
  }

  @Test
  func `B006 F7 a producer that asks for its own key gets an error that names it`() async throws {
    let cache = cache
    do {
      _ = try await cache.get("my key") { try await cache.get("my key") { 0 } }
      Issue.record("it cannot have a value")
    } catch {
      #expect(Self.isRecursion(error))
      #expect((error as? CacheError)?.key?.text == "my key")
      // Sentences stand in events, which show keys only where that is allowed.
      #expect(!"\(error)".contains("my"))
    }
    #expect(cache.isQuiet)
    #expect(try await cache.get("my key") { 1 } == 1)
  }

  @Test
  func `B006 F7 a needs b and b needs a, in two tables of different values`() async throws {
    let (cache, texts) = (cache, texts)
    await #expect(
      performing: {
        try await cache.get("a") {
          let text = try await texts.get("b") { "\(try await cache.get("a") { 0 })" }
          return text.count
        }
      },
      throws: Self.isRecursion
    )
    #expect(cache.isQuiet && texts.isQuiet)
    #expect(try await cache.get("a") { 1 } == 1)
    #expect(try await texts.get("b") { "b" } == "b")
  }

  @Test(arguments: 0..<100)
  func `F7 two leaders that wait for each other's load both end with the error`(_ round: Int)
    async throws
  {
    let (cache, texts) = (cache, texts)
    let started = FlightCalls()
    let a = Task {
      try await cache.get("a") {
        started.next()
        await until { started.count == 2 }
        return try await texts.get("b") { "b" }.count
      }
    }
    let b = Task {
      try await texts.get("b") {
        started.next()
        await until { started.count == 2 }
        return "\(try await cache.get("a") { 0 })"
      }
    }
    await #expect(performing: { try await a.value }, throws: Self.isRecursion)
    await #expect(performing: { try await b.value }, throws: Self.isRecursion)
    #expect(cache.isQuiet && texts.isQuiet)
  }

  @Test
  func `F7 loads that share what they need are no cycle`() async throws {
    let cache = cache
    let bottom = FlightGate<Int>()
    let top = Task {
      try await cache.get("top") {
        let flight = try #require(FlightScope.current)
        async let left = cache.get("left") { try await cache.get("bottom") { try await bottom() } }
        async let right = cache.get("right") {
          try await cache.get("bottom") { try await bottom() }
        }
        let sum = try await left + right
        #expect(WaitGraph.shared.waitCount(of: flight) == 0)
        return sum
      }
    }
    await cache.waiters(5)
    bottom.release(2)
    #expect(try await top.value == 4)
    #expect(bottom.calls == 1)
  }

  @Test
  func `F7 a cancelled wait leaves no trace in the graph`() async throws {
    let cache = cache
    let inner = FlightGate<Int>()
    let value = try await cache.get("outer") {
      let flight = try #require(FlightScope.current)
      let waiting = Task { try await cache.get("inner") { try await inner() } }
      await until { WaitGraph.shared.waitCount(of: flight) == 1 }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      #expect(WaitGraph.shared.waitCount(of: flight) == 0)
      return 3
    }
    #expect(value == 3)
  }

  @Test
  func `F7 work that outlives its flight holds up nobody`() async throws {
    let cache = cache
    let gate = FlightGate<Int>()
    let stray = Lock<Task<Int, any Error>?>(nil)
    _ = try await cache.get("a", stores: false) {
      let task = Task {
        _ = try await gate()
        return try await cache.get("a") { 2 }
      }
      stray.withLock { $0 = task }
      return 1
    }
    gate.release(0)
    #expect(try await stray.withLock { $0 }?.value == 2)
  }

  @Test
  func `F7 work that cannot be joined takes part in cycles`() async throws {
    let cache = cache
    await #expect(
      performing: {
        try await cache.get("a") {
          try await cache.table.runUnregistered(whenUnobserved: .cancel) { _ in
            try await cache.get("a") { 0 }
          }
        }
      },
      throws: Self.isRecursion
    )
    #expect(cache.isQuiet)
  }

  @Test
  func `F7 a block that loads its own key is told so by the completion`() throws {
    let outcomes = Lock<[String]>([])
    cache.getCallback(
      "k",
      start: { answer in
        cache.getCallback("k", start: { _ in Issue.record("it joins") }) { result, _ in
          if case .failure(let error) = result, Self.isRecursion(error) {
            outcomes.withLock { $0.append("recursion") }
          }
        }
        answer.answer { .success(4) }
      },
      completion: { result, _ in
        outcomes.withLock { $0.append("\((try? result.get()) ?? 0)") }
      }
    )
    #expect(outcomes.withLock { $0 } == ["recursion", "4"])
    #expect(cache.isQuiet)
  }

  @Test
  func `F7 a cycle of blocks is found although they answer later`() {
    let outcomes = Lock<[String]>([])
    let handles = Lock<[CallbackAnswer<Int>]>([])
    cache.getCallback(
      "a",
      start: { outer in
        handles.withLock { $0.append(outer) }
        cache.getCallback("b", start: { inner in handles.withLock { $0.append(inner) } }) { _, _ in
          cache.getCallback("a", start: { _ in Issue.record("it joins") }) { result, _ in
            if case .failure(let error) = result, Self.isRecursion(error) {
              outcomes.withLock { $0.append("recursion") }
            }
          }
        }
      },
      completion: { _, _ in outcomes.withLock { $0.append("a") } }
    )
    let taken = handles.withLock { $0 }
    taken[1].answer { .success(1) }
    taken[0].answer { .success(2) }
    #expect(outcomes.withLock { $0 } == ["recursion", "a"])
    #expect(cache.isQuiet)
  }

  @Test
  func `F7 a completion does not speak for the flight that happens to end its own`() async throws {
    let cache = cache
    let handle = Lock<CallbackAnswer<Int>?>(nil)
    let joined = FlightCalls()
    cache.getCallback("other", start: { answer in handle.withLock { $0 = answer } }) { _, _ in
      cache.getCallback("k", start: { _ in Issue.record("it joins") }) { result, isJoiner in
        #expect((try? result.get()) == 5 && isJoiner)
        joined.next()
      }
    }
    let value = try await cache.get("k") {
      let answer = handle.withLock { $0.take() }
      answer?.answer { .success(1) }
      return 5
    }
    #expect(value == 5)
    await until { joined.count == 1 }
    #expect(cache.isQuiet)
  }

  @Test
  func `F7 code of a flight that has ended may load what still waits for its result`() throws {
    let cache = cache
    let handles = Lock<[String: CallbackAnswer<Int>]>([:])
    let outcomes = Lock<[String]>([])
    let keep: (String) -> (CallbackAnswer<Int>) -> Void = { key in
      { answer in handles.withLock { $0[key] = answer } }
    }
    let answer: @Sendable (String) -> Void = { key in
      handles.withLock { $0.removeValue(forKey: key) }?.answer { .success(1) }
    }
    cache.getCallback(
      "a",
      start: { handle in
        keep("a")(handle)
        cache.getCallback("later", start: keep("later")) { _, _ in
          cache.getCallback("x", start: { _ in Issue.record("it joins") }) { result, _ in
            outcomes.withLock { $0.append((try? result.get()) == 1 ? "value" : "error") }
          }
        }
      },
      completion: { _, _ in answer("later") }
    )
    cache.getCallback(
      "x",
      start: { handle in
        keep("x")(handle)
        cache.getCallback("a", start: { _ in Issue.record("it joins") }) { _, _ in }
      },
      completion: { _, _ in }
    )
    answer("a")
    answer("x")
    #expect(outcomes.withLock { $0 } == ["value"])
    #expect(cache.isQuiet)
  }
}
