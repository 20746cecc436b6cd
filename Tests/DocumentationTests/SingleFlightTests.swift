import CacheAside
import CacheAsideTesting
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct SingleFlightTests {
  /// Waits until the default feature's loads have some waiters.
  private func waitForCallers(_ count: Int) async throws {
    while try Caches.current["default"].statistics.waiters < count { await Task.yield() }
  }

  @Test func `one run for all callers`() async throws {
    // snippet: One run for all callers
    let producer = GatedProducer<String>()
    async let one = cached(key: "greeting") { try await producer() }
    async let two = cached(key: "greeting") { try await producer() }
    try await producer.waitForRuns(1)
    producer.release("Hello")
    let greetings = try await [one, two]
    #expect(greetings == ["Hello", "Hello"])
    #expect(producer.calls == 1)
    // end
  }

  @Test func `cancel one caller`() async throws {
    // snippet: Cancel one caller
    let producer = GatedProducer<String>()
    let impatient = Task { try await cached(key: "report") { try await producer() } }
    try await producer.waitForRuns(1)
    let patient = Task { try await cached(key: "report") { try await producer() } }
    try await waitForCallers(2)

    impatient.cancel()
    await #expect(throws: CancellationError.self) { try await impatient.value }
    producer.release("done")
    #expect(try await patient.value == "done")
    // end
  }

  @Test func `say what happens when nobody waits`() async throws {
    // snippet: Say what happens when nobody waits
    let prepare = cached(
      "thumbnail",
      policy: CachePolicy(whenUnobserved: .finish(within: .seconds(30)))
    ) { (id: Int) in try await api.avatar(of: User(id: id, name: "")) }
    let thumbnail = try await prepare(42)
    // end
    #expect(thumbnail == [42])
  }

  @Test func `invalidate during a load`() async throws {
    let caches = Caches.current
    // snippet: Invalidate during a load
    let producer = GatedProducer<String>()
    async let before = cached(key: "row") { try await producer() }
    try await producer.waitForRuns(1)
    try await caches["default"].remove("row")
    producer.release("old")
    let old = try await before
    #expect(old == "old")

    let after = try await cached(key: "row") { "new" }
    #expect(after == "new")
    // end
  }

  @Test func `a load that waits for itself`() async {
    // snippet: A load that waits for itself
    let error = await #expect(throws: CacheError.self) {
      try await cached(key: "loop") {
        try await cached(key: "loop") { 1 }
      }
    }
    #expect(error?.code == .recursiveLoad)
    #expect(error?.key == "loop")
    // end
  }
}
