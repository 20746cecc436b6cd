// A batch under a trace: each of its keys has a note of its own, which goes with it through the load that
// it leads, since what is done for many keys at once belongs to no one call.

extension Cache where Key == CacheKey {
  /// The number that the notes of one batch carry; `nil` without a trace.
  func newBatch() -> Int? {
    guard let trace = Ambient.trace, core.note == nil else { return nil }
    return trace.beginBatch()
  }

  /// A key that is asked for, with a note under a trace.
  func ask<ID>(_ id: ID, _ key: CacheKey, _ mode: CacheMode, batch: Int?) -> BatchAsk<ID> {
    BatchAsk(
      id: id,
      key: key,
      hash: memory.hash(of: key),
      note: newNote(key, mode.description, batch: batch)
    )
  }

  /// A hit of memory.
  func hit<ID>(_ ask: BatchAsk<ID>) -> Value? {
    guard ask.note != nil else { return memory.value(for: ask.key, hash: ask.hash) }
    guard let loaded = memoryHit(ask.key) else { return nil }
    return answered(ask.note, loaded).value
  }

  /// What a caller gets that is answered with a value; ends its note.
  @discardableResult
  func answered(_ note: CallNote?, _ loaded: Loaded<Value>, joined: Bool = false) -> Loaded<Value> {
    if let note { end(note, loaded, joined: joined) }
    return loaded
  }

  /// What a caller gets whose key is absent; ends its note.
  func endAbsent(
    _ note: CallNote?,
    _ source: CacheSource,
    _ rule: CacheRule = .negative
  ) -> Result<Value?, any Error> {
    note?.ends(rule) {
      $0.source = source
      $0.isAbsent = true
      $0.decideByMode()
    }
    return .success(nil)
  }

  /// The same for one whose load found it out.
  func endAbsent(
    _ note: CallNote?,
    _ absent: AbsentKey,
    joined: Bool
  ) -> Result<Value?, any Error> {
    if let tier = absent.tier { return endAbsent(note, .store(tier)) }
    return endAbsent(note, joined ? .coalesced : .produced, joined ? .singleFlight : .absent)
  }

  /// What a caller gets that is answered with an error; ends its note.
  func endFailed(_ note: CallNote?, _ error: any Error) -> Result<Value?, any Error> {
    if let note { end(note, error) }
    return .failure(error)
  }
}

extension CallNote? {
  /// Runs work for one key as part of its call; as it is without one.
  func running<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    guard let self else { return try await body() }
    return try await Ambient.with(note: self, body)
  }
}
