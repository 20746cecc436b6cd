/// What all calls of a batch function ask of the engine.
struct BatchRequest<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Derives a key; it runs outside every lock.
  let key: @Sendable (ID) -> CacheKey
  /// The call's policy; unset fields are the feature's.
  let policy: CachePolicy
  /// How many ids the producer gets at once at most.
  let maximum: Int
  let producer: @concurrent @Sendable ([ID]) async throws -> [ID: Produced<Value>]
}

/// A key that a batch's caller asks for.
struct BatchAsk<ID: Sendable>: Sendable {
  let id: ID
  let key: CacheKey
  let hash: UInt64
  /// What it comes to is written here, under a trace.
  let note: CallNote?
}

/// A key that a batch loads, with its flight.
struct BatchKey<ID: Sendable, Value: Sendable>: Sendable {
  let ask: BatchAsk<ID>
  let flight: Flight<Loaded<Value>>
  /// The flight's place in the batch's work.
  let position: Int
  var slot: Slot<CacheKey>
  /// What has expired and may be served if the load fails.
  var aged: Aged<Value>?
  /// Why it is loaded although nobody waits for it.
  var refresh: Refresh<Value>?

  var id: ID { ask.id }
  var key: CacheKey { ask.key }
  var hash: UInt64 { ask.hash }
}

/// A caller's place in the flight of one of its keys.
struct BatchSeat<ID: Sendable, Value: Sendable>: Sendable {
  let ask: BatchAsk<ID>
  let seat: FlightSeat<Loaded<Value>>
  /// Where the feature's invalidations stood when it came.
  let joinedAt: UInt64
}

/// A key whose load behind answers runs.
struct BatchBeside<ID: Sendable, Value: Sendable>: Sendable {
  let ask: BatchAsk<ID>
  let flight: Flight<Loaded<Value>>
}

/// What a caller that has found nothing fresh does about one of its keys.
enum BatchBoarding<ID: Sendable, Value: Sendable>: Sendable {
  case answered(Result<Value?, any Error>)
  case boarded(BatchSeat<ID, Value>)
  /// A load behind answers runs, and only the slower tiers know whether what it replaces is still there.
  case beside(BatchBeside<ID, Value>)
}
