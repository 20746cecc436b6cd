import CacheAside
import CacheAsideTesting
import Testing

/// Configuration in code.
@Suite(.timeLimit(.minutes(60)))
struct CachesTests {
  /// A third party's store component.
  struct Plain: StoreComponent {
    let store: PlainStore
    func apply(to plan: inout StoresPlan) { plan.add(store) }
  }

  /// A third party's component of caches.
  struct Standard: CachesComponent {
    let names: [String]
    func apply(to plan: inout CachesPlan) throws {
      plan.defaults.expiry = .seconds(10)
      for name in names { try plan.add(FeaturePlan(name: name, stores: [Memory()])) }
    }
  }

  private func code(_ body: () throws -> Caches) -> CacheError? {
    let error = #expect(throws: CacheError.self) { _ = try body() }
    return error
  }

  @Test(arguments: [true, false])
  func `blocks take conditions, loops and components of others`(isOn: Bool) throws {
    let caches = try Caches {
      Defaults(expiry: .minutes(10))
      if isOn { Feature("optional") { Memory() } }
      if isOn {
        Feature("either") { Memory() }
      } else {
        Feature("or") { Memory() }
      }
      for name in ["a", "b"] { Feature(name) { Memory() } }
      if #available(macOS 15, iOS 18, *) { Feature("new") { Memory() } }
      Feature("stores") {
        if isOn { Memory() }
        if isOn { Store(PlainStore()) } else { Plain(store: PlainStore()) }
        for _ in 0..<2 { Store(PlainStore()) }
        if #available(macOS 15, iOS 18, *) { Store(PlainStore()) }
        [Store(PlainStore()), Store(PlainStore())]
      }
      Standard(names: ["c"])
    }
    let expected =
      ["a", "b", "c", "default", "new", "stores"]
      + (isOn ? ["either", "optional"] : ["or"])
    #expect(caches.featureNames == expected.sorted())
    #expect(try caches["stores"].statistics.tiers.count == 7)
  }

  @Test
  func `C1 an unknown feature is an error that names the nearest`() throws {
    let caches = try Caches {
      Feature("profiles") { Memory() }
      Feature("search") { Memory() }
    }
    let error = #expect(throws: CacheError.self) { _ = try caches["profles"] }
    #expect(error?.code == .unknownFeature)
    #expect(error?.message.contains("did you mean \"profiles\"?") == true)
    #expect(error?.message.contains("search") == true)
    let far = #expect(throws: CacheError.self) { _ = try caches["zzz"] }
    #expect(far?.message.contains("did you mean") == false)
  }

  @Test
  func `C1 contradictions are errors that name the feature`() {
    let twice = code { try Caches { for _ in 0..<2 { Feature("a") { Memory() } } } }
    #expect(twice?.code == .invalidConfiguration && twice?.message.contains("\"a\"") == true)
    let isOn = false
    let empty = code { try Caches { Feature("b") { if isOn { Memory() } } } }
    #expect(empty?.code == .invalidConfiguration && empty?.message.contains("\"b\"") == true)
    let doubled = code {
      try Caches {
        Feature("c") {
          Memory()
          Memory()
        }
      }
    }
    #expect(doubled?.code == .invalidConfiguration && doubled?.message.contains("\"c\"") == true)
    let last = code {
      try Caches {
        Feature("d") {
          Store(PlainStore())
          Memory()
        }
      }
    }
    #expect(last?.code == .invalidConfiguration && last?.message.contains("\"d\"") == true)
    for limits in [MemoryLimits.count(-1), .cost(-1)] {
      let negative = code { try Caches { Feature("e") { Memory(limits) } } }
      #expect(negative?.code == .invalidConfiguration)
      #expect(negative?.message.contains("\"e\"") == true)
    }
    let nameless = code { try Caches { Feature("") { Memory() } } }
    #expect(nameless?.code == .invalidConfiguration)
    let endless = code { try Caches { Feature("f", expiry: .seconds(.nan)) { Memory() } } }
    #expect(endless?.code == .invalidConfiguration && endless?.message.contains("\"f\"") == true)
    let defaults = code { try Caches { Defaults(expiry: .seconds(.nan)) } }
    #expect(defaults?.code == .invalidConfiguration)
  }

  @Test
  func `unset fields are inherited one by one`() async throws {
    let clock = ManualClock()
    let caches = try Caches(time: clock.timeSource) {
      Defaults(expiry: .seconds(40), policy: CachePolicy(keepExpired: .seconds(100)))
      Feature("inherits") { Memory() }
      Feature("own", expiry: .seconds(20)) { Memory() }
      Feature("kept", policy: CachePolicy(keepExpired: .zero)) { Memory() }
      Defaults(policy: CachePolicy(whenUnobserved: .finish))
    }
    for (name, lifetime) in [("inherits", 40), ("own", 20), ("kept", 40), ("default", 40)] {
      let table = try caches[name].cache(CacheKey.self, Int.self)
      let outcome = try await table.outcome("feature") { Produced(1) }
      #expect(outcome.remainingLife == .seconds(lifetime), "\(name)")
      let call = try await table.outcome("call", expiry: .seconds(5)) { Produced(1) }
      #expect(call.remainingLife == .seconds(5))
      let producer = try await table.outcome("producer", expiry: .seconds(5)) {
        Produced(1, expiry: .seconds(3))
      }
      #expect(producer.remainingLife == .seconds(3))
      let policy = CachePolicy(expiry: .seconds(7))
      let both = try await table.outcome("both", expiry: .seconds(6), policy: policy) {
        Produced(1)
      }
      #expect(both.remainingLife == .seconds(6))
    }
    try await clock.advance(by: .seconds(50))
    #expect(
      try await caches["inherits"].cache(CacheKey.self, Int.self).entry(for: "feature") != nil
    )
    #expect(try await caches["own"].cache(CacheKey.self, Int.self).entry(for: "feature") != nil)
    #expect(try await caches["kept"].cache(CacheKey.self, Int.self).entry(for: "feature") == nil)
  }

  @Test
  func `equal types share table and runs, features share nothing`() async throws {
    let caches = Caches.inMemory
    #expect(try caches["a"].cache(Int.self, Int.self) === caches["a"].cache(Int.self, Int.self))
    #expect(try caches["a"].cache(Int.self, Int.self) !== caches["b"].cache(Int.self, Int.self))
    let producer = GatedProducer<Int>()
    let function = try caches["a"].cached(key: { "n/\($0)" }) { (_: Int) in try await producer() }
    async let first = function(1)
    try await producer.waitForRuns(1)
    let probe = CountingProducer { $0 }
    async let second = caches["a"].cached(key: "n/1") { try await probe() }
    async let other = caches["b"].cached(key: "n/1") { try await probe() }
    #expect(try await other == 1)
    producer.release(7)
    #expect(try await first == 7)
    #expect(try await second == 7)
    #expect(probe.calls == 1)
  }

  @Test
  func `C2 a third party's store holds what a feature stores`() async throws {
    let store = PlainStore()
    let feature = try Caches { Feature("a") { Plain(store: store) } }["a"]
    let producer = CountingProducer { $0 }
    #expect(try await feature.cached(key: "n") { try await producer() } == 1)
    let again = try Caches { Feature("a") { Plain(store: store) } }["a"]
    #expect(try await again.cached(key: "n") { try await producer() } == 1)
    try await again.remove("n")
    #expect(try await feature.cached(key: "n") { try await producer() } == 2)
  }

  @Test
  func `closed caches run their producers and store nothing`() async throws {
    let caches = Caches.inMemory
    let producer = CountingProducer { $0 }
    let function = try caches["a"].cached("f") { (_: Int) in try await producer() }
    #expect(try await function(1) == 1)
    try await caches.close()
    #expect(try await function(1) == 2)
    #expect(try await function(1) == 3)
    #expect(function.peek(1) == nil)
  }
}
