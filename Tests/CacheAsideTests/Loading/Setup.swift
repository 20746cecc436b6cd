import CacheAsideTesting
import Testing

@testable import CacheAside

/// What a test's producers and stores throw.
enum EngineError: Error, Equatable { case boom, net }

/// The stores that a parameterised case runs on.
enum Setup: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, disk, memoryAndDisk
  /// A store that suspends, alone.
  case suspending

  var testDescription: String { rawValue }

  /// Those that keep records.
  static let withStore: [Setup] = [.disk, .memoryAndDisk, .suspending]

  var hasMemory: Bool { self == .memory || self == .memoryAndDisk }
}

/// Caches of one setup on one place and one clock; the folder goes with the last reference.
final class CacheFixture: Sendable {
  let setup: Setup
  let clock = ManualClock()
  let plain = PlainStore()
  private let folder: TemporaryFolder

  init(_ setup: Setup) throws {
    self.setup = setup
    folder = try TemporaryFolder()
  }

  var directory: String { folder.path + "/cache" }

  /// A disk store on the fixture's folder.
  func disk() throws -> DiskStore {
    try DiskStore(directory: directory, limit: .unlimited, time: clock.timeSource)
  }

  /// A cache on the fixture's place; again and again gives caches with memory of their own.
  func open<Value: Sendable>(
    _ value: Value.Type,
    expiry: Expiry? = nil,
    policy: CachePolicy = CachePolicy(),
    limits: MemoryLimits = .count(1_000),
    codec: Codec<Value>? = nil,
    cost: (@Sendable (Value) -> Int)? = nil
  ) throws -> Cache<String, Value> {
    try Cache(
      name: "feature",
      expiry: expiry,
      policy: policy,
      time: clock.timeSource,
      codec: codec,
      cost: cost
    ) {
      if setup.hasMemory { Memory(limits, exact: true) }
      if setup == .disk || setup == .memoryAndDisk { Store(try disk()) }
      if setup == .suspending { Store(plain) }
    }
  }

  /// A cache of integers.
  func open(
    expiry: Expiry? = nil,
    policy: CachePolicy = CachePolicy()
  ) throws -> Cache<String, Int> {
    try open(Int.self, expiry: expiry, policy: policy)
  }

  /// The record of a key in the slower store.
  func record(_ key: String) async throws -> CacheEntry? {
    let key = CacheKey(text: key, namespace: Namespace("feature"))
    switch setup {
    case .memory: return nil
    case .suspending: return try await plain.entry(for: key)
    case .disk, .memoryAndDisk: return try await disk().entry(for: key)
    }
  }

  /// Whether neither memory nor the slower store holds anything under a key.
  func isEmpty<Value>(_ cache: Cache<String, Value>, _ key: String = "k") async throws -> Bool {
    guard try await record(key) == nil else { return false }
    return try await cache.entry(for: key) == nil
  }
}

extension Cache {
  /// Waits until a number of callers wait for flights.
  func waiters(_ count: Int) async { await until { flights.waiterCount == count } }

  /// Whether nothing is left of any load.
  var isQuiet: Bool {
    flights.flightCount == 0 && flights.waiterCount == 0 && flights.registrationCount == 0
  }
}

/// Starts a caller of a key in a task of its own.
func call<Value: Sendable>(
  _ cache: Cache<String, Value>,
  _ producer: GatedProducer<Value>,
  key: String = "k",
  expiry: Expiry? = nil,
  policy: CachePolicy? = nil
) -> Task<Value, any Error> {
  Task { try await cache.cached(key, expiry: expiry, policy: policy) { try await producer() } }
}
