import CacheAsideTesting
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ProducerTests {
  private enum E: Error { case boom }

  @Test func `a gated run waits for its result, the oldest first`() async throws {
    let clock = ManualClock()
    let producer = GatedProducer<Int>()
    let runs = (0..<3).map { _ in clock.startTask { try await producer() } }
    try await producer.waitForRuns(3)
    try await clock.settle()
    #expect(producer.calls == 3)
    #expect(producer.waiting == 3)
    producer.release(1)
    producer.fail(E.boom)
    producer.release(3)
    #expect(try await runs[0].value == 1)
    await #expect(throws: E.boom) { try await runs[1].value }
    #expect(try await runs[2].value == 3)
    #expect(producer.waiting == 0)
  }

  @Test func `results given ahead are used in order`() async throws {
    let producer = GatedProducer<Int>()
    producer.release(1)
    producer.fail(E.boom)
    producer.release(2)
    #expect(try await producer() == 1)
    await #expect(throws: E.boom) { try await producer() }
    #expect(try await producer() == 2)
    #expect(producer.calls == 3)
  }

  @Test func `a cancelled run ends at once and its result goes to the next`() async throws {
    let producer = GatedProducer<Int>()
    let run = Task { try await producer() }
    try await producer.waitForRuns(1)
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(producer.cancellations == 1)
    #expect(producer.waiting == 0)
    producer.release(1)
    #expect(try await producer() == 1)
  }

  @Test func `a run that ignores cancellation notes it and goes on`() async throws {
    let producer = GatedProducer<Int>(honoursCancellation: false)
    let run = Task { try await producer() }
    try await producer.waitForRuns(1)
    run.cancel()
    #expect(producer.cancellations == 1)
    producer.release(1)
    #expect(try await run.value == 1)
  }

  @Test func `a counting producer numbers its runs`() async throws {
    let producer = CountingProducer { run in
      if run == 2 { throw E.boom }
      return "run \(run)"
    }
    #expect(try await producer() == "run 1")
    await #expect(throws: E.boom) { try await producer() }
    #expect(try await producer() == "run 3")
    #expect(producer.calls == 3)
    #expect(try await CountingProducer.returning(5)() == 5)
  }

  @Test func `a failing producer fails, a hanging one ends by cancellation only`() async throws {
    let failing = CountingProducer<Int>.failing(E.boom)
    await #expect(throws: E.boom) { try await failing() }
    #expect(failing.calls == 1)
    let hanging = CountingProducer<Int>.hanging()
    let run = Task { try await hanging() }
    try await hanging.waitForRuns(1)
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
  }

  @Test func `a gate holds everybody until it opens, then nobody`() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let log = EventRecorder<String>()
    for name in ["a", "b"] {
      clock.startTask {
        try await gate.wait()
        log.record(name)
      }
    }
    try await gate.waitForArrivals(2)
    try await clock.settle()
    #expect(log.events.isEmpty)
    #expect(gate.waiting == 2)
    gate.open()
    try await clock.settle()
    #expect(log.events == ["a", "b"])
    try await gate.wait()
    gate.waitBlocking()
    #expect(gate.arrivals == 4)
    #expect(gate.isOpen && Gate(isOpen: true).isOpen)
  }

  @Test func `who is cancelled at a gate leaves it, unless it ignores that`() async throws {
    let gate = Gate()
    let leaves = Task { try await gate.wait() }
    let stays = Task { await gate.waitIgnoringCancellation() }
    try await gate.waitForArrivals(2)
    leaves.cancel()
    stays.cancel()
    await #expect(throws: CancellationError.self) { try await leaves.value }
    #expect(gate.waiting == 1)
    gate.open()
    await stays.value
  }

  @Test func `waiting for a count is woken by it, and by cancellation`() async throws {
    let recorder = EventRecorder<Int>()
    let reached = Task { try await recorder.waitForCount(2) }
    let cancelled = Task { try await recorder.waitForCount(100) }
    recorder.record(1)
    recorder.record(2)
    try await reached.value
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(recorder.removeAll() == [1, 2])
    #expect(recorder.events.isEmpty)
    try await recorder.waitForCount(2)
  }
}
