import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct FlightCallbackTests {
  let cache = FlightFixture<Int>()

  /// Records completions in the order in which they come.
  private final class Record: Sendable {
    private let lines = Lock<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    func completion(_ name: String) -> @Sendable (Result<Int, any Error>, Bool) -> Void {
      { result, joined in
        let text =
          switch result {
          case .success(let value): "\(value)"
          case .failure(let error as CacheError): "\(error.code)"
          case .failure(let error): "\(error)"
          }
        self.add("\(name) \(text)\(joined ? " joined" : "")")
      }
    }
  }

  private let record = Record()

  /// Leads a flight whose answer stays in the caller's hands.
  private func lead(_ key: String, _ name: String) throws -> CallbackAnswer<Int> {
    var handle: CallbackAnswer<Int>?
    cache.getCallback(
      key,
      start: { handle = $0 },
      onSecondAnswer: { [record] in record.add("second answer") },
      completion: record.completion(name)
    )
    return try #require(handle)
  }

  @Test
  func `F9 a block that answers at once completes within the call`() {
    var ran = false
    cache.getCallback(
      "k",
      start: { answer in
        ran = true
        answer.answer {
          cache.store(5, for: "k", by: answer.registration)
          return .success(5)
        }
        record.add("block ends")
      },
      completion: record.completion("a")
    )
    #expect(ran)
    #expect(record.all == ["a 5", "block ends"])
    cache.getCallback(
      "k",
      start: { _ in Issue.record("it is in memory") },
      completion: record.completion("b")
    )
    #expect(record.all.last == "b 5")
    #expect(cache.isQuiet)
  }

  @Test
  func `F9 callers of one key share the block and end in the order in which they came`() throws {
    let answer = try lead("k", "a")
    for name in ["b", "c", "d"] {
      cache.getCallback(
        "k",
        start: { _ in Issue.record("it joins") },
        completion: record.completion(name)
      )
    }
    #expect(record.all.isEmpty)
    #expect(cache.table.waiterCount == 4)
    answer.answer { .success(1) }
    #expect(record.all == ["a 1", "b 1 joined", "c 1 joined", "d 1 joined"])
    #expect(cache.isQuiet)
  }

  @Test
  func `F9 a second answer is reported and changes nothing`() throws {
    let answer = try lead("k", "a")
    answer.answer { .failure(FlightTestError.boom) }
    answer.answer {
      Issue.record("only the first answer is looked at")
      return .success(2)
    }
    #expect(!answer.claim())
    #expect(record.all == ["a boom", "second answer", "second answer"])
    #expect(cache.isQuiet)
  }

  @Test
  func `F9 releasing the handle without an answer fails the load`() async throws {
    cache.getCallback("now", start: { _ in }, completion: record.completion("a"))
    #expect(record.all == ["a abandoned"])

    var handle: CallbackAnswer<Int>? = try lead("later", "b")
    let joiner = Task { try await cache.get("later") { 0 } }
    await cache.waiters(2)
    #expect(handle?.registration.isSuperseded == false)
    handle = nil
    #expect(record.all == ["a abandoned", "b abandoned"])
    await #expect(
      performing: { try await joiner.value },
      throws: { ($0 as? CacheError)?.code == .abandoned }
    )
    #expect(try await cache.get("later") { 3 } == 3)
    #expect(cache.isQuiet)
  }

  @Test
  func `F9 an answer that is claimed but never completed fails the load too`() throws {
    var handle: CallbackAnswer<Int>? = try lead("k", "a")
    #expect(handle?.claim() == true)
    handle = nil
    #expect(record.all == ["a abandoned"])
  }

  @Test
  func `F9 tasks join a block's load, and their cancellation stops their waiting only`()
    async throws
  {
    let answer = try lead("k", "a")
    let tasks = (0..<2).map { _ in Task { try await cache.load("k") { 0 } } }
    await cache.waiters(3)
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    #expect(cache.table.registrationCount == 1)
    answer.answer {
      #expect(cache.store(7, for: "k", by: answer.registration))
      return .success(7)
    }
    let (output, joined) = try await tasks[1].value
    #expect(output == 7 && joined)
    #expect(record.all == ["a 7"])
    #expect(cache.peek("k") == 7)
  }

  @Test
  func `F9 a completion joins a task's load and keeps it alive`() async throws {
    let gate = FlightGate<Int>()
    let leader = Task { try await cache.get("k") { try await gate() } }
    await until { gate.calls == 1 }
    cache.getCallback(
      "k",
      start: { _ in Issue.record("it joins") },
      completion: record.completion("a")
    )
    leader.cancel()
    await #expect(throws: CancellationError.self) { try await leader.value }
    #expect(gate.cancelled == 0)
    gate.release(2)
    await until { !record.all.isEmpty }
    #expect(record.all == ["a 2 joined"])
    #expect(cache.isQuiet)
  }

  @Test
  func `F9 a block that was superseded still completes its callers and is not stored`() throws {
    let answer = try lead("k", "a")
    cache.set("k", 9)
    answer.answer {
      #expect(!cache.store(1, for: "k", by: answer.registration))
      return .success(1)
    }
    #expect(record.all == ["a 1"])
    #expect(cache.peek("k") == 9)
    #expect(cache.isQuiet)
  }

  @Test
  func `F9 a completion may load the same key again at once`() throws {
    let answer = try lead("k", "a")
    let (cache, record) = (cache, record)
    cache.getCallback("k", start: { _ in Issue.record("it joins") }) { _, _ in
      cache.getCallback(
        "k",
        start: { $0.answer { .success(2) } },
        completion: record.completion("again")
      )
    }
    answer.answer { .failure(FlightTestError.net) }
    #expect(record.all == ["a net", "again 2"])
    #expect(cache.isQuiet)
  }
}
