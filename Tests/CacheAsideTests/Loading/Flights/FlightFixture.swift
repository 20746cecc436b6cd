import Synchronization

@testable import CacheAside

/// The least engine over a flight table: a dictionary for memory, values that are stored on
/// request.
final class FlightFixture<Value: Sendable>: Sendable {
  let table: FlightTable<String, Value>
  let memory = Lock<[String: Value]>([:])

  init(time: TimeSource = .system) {
    table = FlightTable(time: time, naming: KeyStrategy<String>.text.derive)
  }

  func peek(_ key: String) -> Value? { memory.withLock { $0[key] } }

  var count: Int { memory.withLock { $0.count } }

  nonisolated(nonsending)
    func load(
      _ key: String,
      whenUnobserved: WhenUnobserved = .cancel,
      reload: Bool = false,
      stores: Bool = true,
      _ producer: @escaping @Sendable () async throws -> Value
    ) async throws -> (output: Value, joined: Bool)
  {
    try await table.load(
      key,
      hash: UInt64(bitPattern: Int64(key.hashValue)),
      whenUnobserved: whenUnobserved,
      supersede: reload,
      probe: { reload ? nil : peek(key) },
      run: { flight in
        let value = try await producer()
        if stores { self.store(value, for: key, by: flight.registration) }
        return value
      }
    )
  }

  nonisolated(nonsending)
    func get(
      _ key: String,
      whenUnobserved: WhenUnobserved = .cancel,
      stores: Bool = true,
      _ producer: @escaping @Sendable () async throws -> Value
    ) async throws -> Value
  {
    if let value = peek(key) { return value }
    return try await load(key, whenUnobserved: whenUnobserved, stores: stores, producer).output
  }

  func getCallback(
    _ key: String,
    start: (CallbackAnswer<Value>) -> Void,
    onSecondAnswer: @escaping @Sendable () -> Void = {},
    completion: @escaping @Sendable (Result<Value, any Error>, Bool) -> Void
  ) {
    table.loadCallback(
      key,
      hash: UInt64(bitPattern: Int64(key.hashValue)),
      probe: { peek(key) },
      start: start,
      onSecondAnswer: onSecondAnswer,
      completion: completion
    )
  }

  @discardableResult
  func store(_ value: Value, for key: String, by registration: Registration) -> Bool {
    let displaced = table.commit(
      registration,
      key: key,
      hash: UInt64(bitPattern: Int64(key.hashValue))
    ) {
      memory.withLock { $0.updateValue(value, forKey: key) }
    }
    return displaced != nil
  }

  func set(_ key: String, _ value: Value) {
    let registration = table.registerWriter(key, hash: UInt64(bitPattern: Int64(key.hashValue)))
    store(value, for: key, by: registration)
    table.unregister(registration, key: key, hash: UInt64(bitPattern: Int64(key.hashValue)))
  }

  func remove(_ key: String) {
    table.supersede(key, hash: UInt64(bitPattern: Int64(key.hashValue)))
    _ = memory.withLock { $0.removeValue(forKey: key) }
  }

  func removeAll() {
    table.supersedeAll()
    memory.withLock { $0 = [:] }
  }

  /// Waits until a number of callers wait.
  func waiters(_ count: Int) async { await until { table.waiterCount == count } }

  /// Whether nothing is left of any load.
  var isQuiet: Bool {
    table.flightCount == 0 && table.waiterCount == 0 && table.registrationCount == 0
  }
}
