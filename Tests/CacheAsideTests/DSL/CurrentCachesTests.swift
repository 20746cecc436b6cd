import CacheAside
import CacheAsideTesting
import Testing

/// A global function: its caches are found at each call.
private let globalRuns = CountingProducer { $0 }
private let globalFunction = cached("global") { (_: Int) in try await globalRuns() }

/// Which caches `cached` without a feature uses.
@Suite(.timeLimit(.minutes(60)))
struct CurrentCachesTests {
  @Test
  func `C3 a global function resolves its caches at the call`() async throws {
    let (one, other) = (Caches.inMemory, Caches.inMemory)
    let first = try await Caches.withCurrent(one) { try await globalFunction(1) }
    let second = try await Caches.withCurrent(other) { try await globalFunction(1) }
    #expect(first != second)
    try await Caches.withCurrent(one) {
      #expect(try await globalFunction(1) == first)
      #expect(globalFunction.peek(1) == first)
      try await globalFunction.remove(1)
    }
    Caches.withCurrent(one) { #expect(globalFunction.peek(1) == nil) }
    Caches.withCurrent(other) { #expect(globalFunction.peek(1) == second) }
  }

  @Test
  func `a global function that knows the shared caches still asks the bound ones`() async throws {
    let shared = try await globalFunction(3)
    #expect(try await globalFunction(3) == shared)
    try await Caches.withCurrent(.inMemory) {
      #expect(globalFunction.peek(3) == nil)
      let bound = try await globalFunction(3)
      #expect(bound != shared)
    }
    #expect(try await globalFunction(3) == shared)
  }

  @Test
  func `C3 bindings nest and end`() async throws {
    let (outer, inner) = (Caches.inMemory, Caches.inMemory)
    try await Caches.withCurrent(outer) {
      #expect(Caches.current === outer)
      try await Caches.withCurrent(inner) {
        #expect(Caches.current === inner)
        let number = try await cached(key: "n") { 1 }
        #expect(number == 1)
      }
      #expect(Caches.current === outer)
      #expect(try await cached(key: "n") { 2 } == 2)
      Caches.withCurrent(inner) { #expect(Caches.current === inner) }
    }
    #expect(Caches.current === Caches.shared)
  }

  @Test
  func `C3 child tasks and producers see the binding`() async throws {
    let caches = Caches.inMemory
    try await Caches.withCurrent(caches) {
      async let child = Caches.current
      #expect(await child === caches)
      let seen = try await cached(key: "seen") { Caches.current === caches }
      #expect(seen)
    }
  }

  @Test
  func `parallel tasks with caches of their own do not meet`() async throws {
    let runs = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await Caches.withCurrent(.inMemory) {
            let first = try await globalFunction(7)
            let second = try await globalFunction(7)
            return first == second ? first : -1
          }
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(runs.count == 50 && !runs.contains(-1))
  }

  @Test
  func `the default feature may be configured`() async throws {
    let clock = ManualClock()
    let caches = try Caches(time: clock.timeSource) {
      Feature("default", expiry: .seconds(10)) { Memory() }
    }
    let producer = CountingProducer { $0 }
    try await Caches.withCurrent(caches) {
      #expect(try await cached(key: "n") { try await producer() } == 1)
      try await clock.advance(by: .seconds(10))
      #expect(try await cached(key: "n") { try await producer() } == 2)
    }
    #expect(caches.featureNames == ["default"])
  }

  @Test
  func `shared caches are memory only until they are set, once and before their use`() async {
    await #expect(processExitsWith: .success) {
      let caches = try Caches { Feature("users") { Memory() } }
      try Caches.bootstrap(caches)
      #expect(Caches.current === caches)
      #expect(try await cached(key: "n") { 1 } == 1)
      let second = #expect(throws: CacheError.self) { try Caches.bootstrap(.inMemory) }
      #expect(second?.code == .alreadyBootstrapped)
      let same = #expect(throws: CacheError.self) { try Caches.bootstrap(caches) }
      #expect(same?.code == .alreadyBootstrapped)
      #expect(Caches.shared === caches)
    }
  }

  @Test
  func `shared caches in use cannot be set any more`() async {
    await #expect(processExitsWith: .success) {
      let number = try await cached(key: "n") { 1 }
      #expect(number == 1)
      #expect(Caches.shared.featureNames == ["default"])
      let late = #expect(throws: CacheError.self) { try Caches.bootstrap(.inMemory) }
      #expect(late?.code == .alreadyBootstrapped)
      let shared = #expect(throws: CacheError.self) { try Caches.bootstrap(.shared) }
      #expect(shared?.code == .alreadyBootstrapped)
      #expect(try await cached(key: "n") { 2 } == 1)
    }
  }

  @Test
  func `making a global function does not use the shared caches`() async {
    await #expect(processExitsWith: .success) {
      let function = cached("n") { (id: Int) in id }
      let bound = try await Caches.withCurrent(.inMemory) { try await function(1) }
      #expect(bound == 1)
      let caches = Caches.inMemory
      try Caches.bootstrap(caches)
      _ = try await function(2)
      #expect(try caches["default"].statistics.entries == 1)
      #expect(function.peek(2) == 2)
    }
  }
}
