import CacheAside
import CacheAsideTesting
import Synchronization

/// What the producers of a test give, and how often they were asked.
final class Source: Sendable {
  struct Answer: Sendable {
    var value = 0
    var ttl = 0
    var tags: [Tag] = []
    var fails = false
  }

  struct Failure: Error {}

  private let answers = Mutex<[Int: Answer]>([:])
  private let asked = Mutex<[Int: Int]>([:])

  /// Says what a key's next load gives.
  func prepare(_ key: Int, _ answer: Answer) {
    answers.withLock { $0[key] = answer }
    asked.withLock { $0[key] = 0 }
  }

  /// How often a key was asked for since it was prepared.
  func runs(_ key: Int) -> Int { asked.withLock { $0[key] ?? 0 } }

  func produce(_ key: Int) throws -> Produced<Int> {
    asked.withLock { $0[key, default: 0] += 1 }
    let answer = answers.withLock { $0[key] ?? Answer() }
    if answer.fails { throw Failure() }
    let expiry: Expiry = answer.ttl == 0 ? .never : .seconds(Double(answer.ttl))
    return Produced(answer.value, expiry: expiry, tags: answer.tags)
  }
}

/// One instance of the caches: as it were, a process.
struct Instance: Sendable {
  let caches: Caches
  let feature: CacheFeature
  let cache: Cache<CacheKey, Int>
  let fetch: Memoized<Int, Int>
  let fetchMany: BatchMemoized<Int, Int>
  let source = Source()

  init(_ caches: Caches) throws {
    self.caches = caches
    feature = try caches["model"]
    cache = feature.cache(CacheKey.self, Int.self)
    let source = source
    let fetch = feature.cached("fetch") { (key: Int) -> Produced<Int> in try source.produce(key) }
    self.fetch = fetch
    fetchMany = feature.cachedBatch(key: { Self.key($0, fetch) }) {
      (keys: [Int]) -> [Int: Produced<Int>] in
      try Dictionary(uniqueKeysWithValues: keys.map { ($0, try source.produce($0)) })
    }
  }

  static func key(_ key: Int, _ fetch: Memoized<Int, Int>) -> CacheKey {
    key >= Place.cacheKeys ? fetch.key(for: key) : "k/\(key)"
  }

  func key(_ place: Place) -> CacheKey { Self.key(place.key, fetch) }
}

/// The caches under test, their stores and their clock.
final class World {
  let setup: Setup
  let clock: ManualClock
  private let folder: String
  private let slow = SlowStore()
  private var controls: [any FaultControl] = []
  private var slowControls: [any FaultControl] = []
  private(set) var instances: [Instance] = []
  /// Where writes to the slow store wait.
  private var gate: Gate?
  private(set) var fault: Int?
  /// Whether something failed since the caches were opened, which reads may repeat and wait for.
  private(set) var hasFailed = false

  static let scopes: [CacheScope] = [
    .none, ["user": "a"], ["user": "b"], ["tenant": "x", "user": "a"],
  ]

  init(_ setup: Setup, folder: String, clock: ManualClock) throws {
    self.setup = setup
    self.clock = clock
    self.folder = folder
    try open()
  }

  func open() throws {
    controls = []
    slowControls = []
    hasFailed = false
    instances = try (0..<setup.instances).map { _ in try Instance(makeCaches()) }
  }

  private func makeCaches() throws -> Caches {
    let setup = setup
    var stores: [any StoreComponent] = [
      setup.memory.map { Memory(.count($0), exact: true) } ?? Memory(.unlimited)
    ]
    for tier in setup.tiers {
      switch tier {
      case .disk:
        let disk = try DiskStore(directory: folder, limit: .unlimited)
        let store = FaultInjectingStore(disk, clock: clock)
        controls.append(store)
        stores.append(Store(store))
      case .slow:
        let store = FaultInjectingStore(slow, clock: clock)
        controls.append(store)
        slowControls.append(store)
        stores.append(Store(store))
      }
    }
    let feature = Feature(
      "model",
      staleWhileRevalidate: setup.staleWhileRevalidate > 0
        ? .seconds(Double(setup.staleWhileRevalidate)) : nil,
      staleIfError: setup.staleIfError > 0 ? .seconds(Double(setup.staleIfError)) : nil
    ) {
      for store in stores { store }
    }
    return try Caches(time: clock.timeSource) { feature }
  }

  // MARK: Faults

  static let faults: [[StoreOperation.Kind]] = [
    [.read, .bulkRead, .scan],
    [.write, .bulkWrite],
    [.remove, .removeIfUnchanged, .removeAll, .invalidate],
  ]

  private static let changes: [StoreOperation.Kind] = [
    .write, .bulkWrite, .remove, .removeIfUnchanged, .removeAll, .invalidate,
  ]

  var isHeld: Bool { gate != nil }
  var readsFail: Bool { fault == 0 }

  func inject(_ number: Int) {
    fault = number
    hasFailed = true
    for control in controls {
      for kind in Self.faults[number] {
        control.inject(.fail(Source.Failure()), on: kind, times: nil)
      }
    }
  }

  func hold() {
    let gate = Gate()
    self.gate = gate
    for control in slowControls {
      for kind in Self.changes { control.inject(.delay(gate), on: kind, times: nil) }
    }
  }

  /// Ends faults and holds.
  func heal() {
    gate?.open()
    gate = nil
    fault = nil
    for control in controls { control.heal() }
  }
}

/// A store whose operations can be made to fail, whatever it stands on.
protocol FaultControl: Sendable {
  func inject(_ fault: StoreFault, on kinds: StoreOperation.Kind..., times: Int?)
  func heal()
}

extension FaultInjectingStore: FaultControl {}
