// Single loads that come within a window are loaded together. Each caller leads or joins the flight of
// its key at once, so that everybody else meets it there; only the work behind the flights waits until
// the window has passed or enough keys are there. A caller that is cancelled leaves its flight; a key
// that nobody wants any more is not asked for.

import Synchronization

/// The load that single calls join until its window has passed.
final class BatchCollecting<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Open: Sendable {
    let load: BatchLoad<ID, Value>
    let table: ObjectIdentifier
  }

  private let open = Lock<Open?>(nil)
  private let request: BatchRequest<ID, Value>
  private let maximum: Int
  private let window: Int64

  /// - Parameters:
  ///   - request: the batch function.
  ///   - maximum: how many keys start the load at once.
  ///   - window: after how many nanoseconds it starts at the latest.
  init(_ request: BatchRequest<ID, Value>, maximum: Int, window: Int64) {
    self.request = request
    self.maximum = maximum
    self.window = window
  }

  /// The value of an id, `nil` if it is absent.
  nonisolated(nonsending) func load(
    _ id: ID,
    from table: Cache<CacheKey, Value>,
    _ absences: Absences<Value>
  ) async throws -> Value? {
    let key = table.placed(request.key(id))
    let hash = table.memory.hash(of: key)
    if let value = table.memory.value(for: key, hash: hash) {
      return try Result<Value?, any Error>.answer(value).get()
    }
    if table.core.isClosed { return try await request.producer([id])[id] }
    let terms = try table.core.terms(of: request.policy)
    try table.core.checkScope(terms)
    try Task.checkCancellation()
    let (boarding, again) = board(id, key, hash, table, absences, terms)
    again.start()
    switch boarding {
    case .answered(let answer): return try answer.get()
    case .boarded(let boarded):
      let seat = boarded.seat
      let ends = await BatchWait([seat]).run(terms.limits, table.core.time)
      return try table.leave(seat, ends[0]).get()
    }
  }

  private func board(
    _ id: ID,
    _ key: CacheKey,
    _ hash: UInt64,
    _ table: Cache<CacheKey, Value>,
    _ absences: Absences<Value>,
    _ terms: LoadTerms
  ) -> (BatchBoarding<Value>, Again<ID, Value>) {
    let load = reserved(table, absences, terms)
    let again = Again(load)
    defer { load.work.release { [maximum] in $0 >= maximum } }
    if let answer = table.answer(id, key, hash, terms, absences, again) {
      return (.answered(answer), again)
    }
    let boarding = load.board(id, key, hash)
    if load.start() { startWindow(load) }
    return (boarding, again)
  }

  /// The load that is open, with a reservation; a new one if there is none.
  private func reserved(
    _ table: Cache<CacheKey, Value>,
    _ absences: Absences<Value>,
    _ terms: LoadTerms
  ) -> BatchLoad<ID, Value> {
    let identity = ObjectIdentifier(table)
    if let known = open.withLock({ $0 }), known.table == identity, known.load.work.reserve() {
      return known.load
    }
    let made = BatchLoad(table, absences, request, terms)
    _ = made.work.reserve()
    let (load, old) = open.withLock { open -> (BatchLoad<ID, Value>, Open?) in
      // Of two that were made at once the first stays.
      if let other = open, other.table == identity, other.load.work.reserve() {
        return (other.load, nil)
      }
      defer { open = Open(load: made, table: identity) }
      return (made, open)
    }
    // Released outside the lock.
    _ = old
    return load
  }

  private func startWindow(_ load: BatchLoad<ID, Value>) {
    let time = load.core.time
    let deadline = Lifetime.sum(time.precise, window)
    let timer = time.startTask(inheritsContext: false) { [work = load.work] in
      do { try await time.sleep(untilNanoseconds: deadline) } catch { return }
      work.close()
    }
    load.work.install(timer: timer)
  }
}
