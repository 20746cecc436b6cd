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

  private let open = Lock<[CacheMode: Open]>([:])
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
    _ absences: Absences<Value>,
    _ mode: CacheMode
  ) async throws -> Value? {
    let key = table.placed(request.key(id))
    // What shares nothing is not collected either.
    if mode == .bypass || table.core.isClosed {
      return try await table.batch([id], request, absences, mode)[0].1.get()
    }
    let ask = table.ask(id, key, mode, batch: nil)
    if mode == .default, let value = table.hit(ask) {
      return try Result<Value?, any Error>.answer(value).get()
    }
    let patience = table.patience(request)
    if mode.readsFirst, let found = await table.read([ask], request, absences, mode).found.first {
      return try found.result.get()
    }
    return try await collect(ask, table, absences, mode.ofLoad, patience)
  }

  private nonisolated(nonsending) func collect(
    _ ask: BatchAsk<ID>,
    _ table: Cache<CacheKey, Value>,
    _ absences: Absences<Value>,
    _ mode: CacheMode,
    _ patience: Patience?
  ) async throws -> Value? {
    let terms: LoadTerms
    do {
      terms = try table.core.terms(of: request.policy)
      try table.core.checkScope(terms)
      try Task.checkCancellation()
    } catch {
      return try table.endFailed(ask.note, error).get()
    }
    while true {
      let (boarding, behind) = board(ask, table, absences, terms, mode)
      behind.start()
      switch boarding {
      case .answered(let answer): return try answer.get()
      case .boarded(let place):
        let ends = await BatchWait([place.seat]).run(patience, table.core.time)
        if let answer = table.leave(place, ends[0]) { return try answer.get() }
      case .beside(let beside):
        let found = await table.lookBeside([beside], terms).found
        if let answer = found.first { return try answer.result.get() }
      }
    }
  }

  private func board(
    _ ask: BatchAsk<ID>,
    _ table: Cache<CacheKey, Value>,
    _ absences: Absences<Value>,
    _ terms: LoadTerms,
    _ mode: CacheMode
  ) -> (BatchBoarding<ID, Value>, BatchBehind<ID, Value>) {
    let load = reserved(table, absences, terms, mode)
    let behind = BatchBehind(load)
    defer { load.work.release { [maximum] in $0 >= maximum } }
    if mode == .default, let answer = table.answer(ask, terms, absences, behind) {
      return (.answered(answer), behind)
    }
    // A load that has not begun is as new as a reload wants it.
    if mode == .reload, let seat = load.joinOwn(ask) { return (.boarded(seat), behind) }
    let boarding = load.board(ask)
    if load.start() { startWindow(load) }
    return (boarding, behind)
  }

  /// The load of the mode that is open, with a reservation; a new one if there is none.
  private func reserved(
    _ table: Cache<CacheKey, Value>,
    _ absences: Absences<Value>,
    _ terms: LoadTerms,
    _ mode: CacheMode
  ) -> BatchLoad<ID, Value> {
    let identity = ObjectIdentifier(table)
    if let known = open.withLock({ $0[mode] }), known.table == identity,
      known.load.work.reserve()
    {
      return known.load
    }
    let made = BatchLoad(table, absences, request, terms, mode: mode)
    _ = made.work.reserve()
    let (load, old) = open.withLock { open -> (BatchLoad<ID, Value>, Open?) in
      // Of two that were made at once the first stays.
      if let other = open[mode], other.table == identity, other.load.work.reserve() {
        return (other.load, nil)
      }
      return (made, open.updateValue(Open(load: made, table: identity), forKey: mode))
    }
    // Released outside the lock.
    _ = old
    return load
  }

  private func startWindow(_ load: BatchLoad<ID, Value>) {
    let time = load.core.time
    let deadline = Lifetime.sum(time.precise, window)
    load.work.install(time.call(at: deadline) { [work = load.work] in work.close() })
  }
}
