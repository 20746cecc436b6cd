// The keys that one batch loads together: each has its own flight in the table, so that single loads,
// other batches and invalidations meet it as they meet any other (F1, F4); the work behind the flights
// is one task that looks in the slower tiers, and one task a call of the producer. Boarding is the part
// of the caller (BatchLoad+Boarding); `run` is that of the work. A background batch has flights that
// nobody waits for.

import Synchronization

/// The load of several keys.
final class BatchLoad<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  let table: Cache<CacheKey, Value>
  let absences: Absences<Value>
  let request: BatchRequest<ID, Value>
  let terms: LoadTerms
  /// `.default` looks before it loads, `.reload` does not, `.bypass` neither shares nor stores.
  let mode: CacheMode
  let work: BatchWork
  /// The place of a background batch among the loads in the background.
  let permit: Permit?
  /// Those that have come and are not worked at yet.
  let keys = Lock<[BatchKey<ID, Value>]>([])
  private let hasStarted = Atomic<Bool>(false)
  /// Whether the source's failure is counted: once for a load, however many calls it makes.
  private let hasFailed = Atomic<Bool>(false)

  var core: FeatureCore { table.core }

  /// - Parameters:
  ///   - table: the table of the values.
  ///   - absences: where it is remembered what is absent.
  ///   - request: the function.
  ///   - terms: its terms.
  ///   - mode: whether it looks before it loads, and stores.
  ///   - permit: for a load that nobody waits for.
  init(
    _ table: Cache<CacheKey, Value>,
    _ absences: Absences<Value>,
    _ request: BatchRequest<ID, Value>,
    _ terms: LoadTerms,
    mode: CacheMode = .default,
    permit: Permit? = nil
  ) {
    self.table = table
    self.absences = absences
    self.request = request
    self.terms = terms
    self.mode = mode
    self.permit = permit
    let priority = permit == nil ? Task.currentPriority : .utility
    work = BatchWork(priority: priority) { permit?.release() }
  }

  /// Starts the work, once there is any; it begins when no flights come any more.
  ///
  /// Called by whoever boarded, before it gives its reservation back.
  ///
  /// - Returns: whether this call started it.
  @discardableResult
  func start() -> Bool {
    guard keys.withLock({ !$0.isEmpty }),
      !hasStarted.exchange(true, ordering: .acquiringAndReleasing)
    else { return false }
    let priority = work.priority
    let ambient = permit == nil ? nil : Ambient.forBackground()
    let job = core.time.startTask(priority: priority, inheritsContext: permit == nil) { [self] in
      await work.begin()
      let keys = keys.withLock { keys in
        defer { keys = [] }
        return keys
      }
      startLimit(keys)
      guard let ambient else { return await run(keys) }
      await Ambient.with(ambient) { await run(keys) }
    }
    work.install(job, group: 0, priority: priority)
    return true
  }

  /// Starts the clock of the load: what has not ended by then is given up.
  private func startLimit(_ keys: [BatchKey<ID, Value>]) {
    let limits = terms.limits
    let nanoseconds = permit != nil ? limits.abandonInBackground : limits.abandon
    let deadline = Lifetime.sum(core.time.precise, nanoseconds)
    guard deadline != .max else { return }
    let timer = core.time.call(at: deadline) { [weak self] in self?.giveUp(keys) }
    work.install(timer)
  }

  private func giveUp(_ keys: [BatchKey<ID, Value>]) {
    let isBackground = permit != nil
    for key in keys {
      key.flight.giveUp {
        if isBackground { core.counters.refreshFailures.add() }
        let aged = key.refresh?.restingValue ?? table.agedInMemory(key.key, key.hash, terms)
        let error = table.abandonment(terms, key: key.key, isBackground: isBackground)
        if countFailure() { table.sourceHung(source, terms, error) }
        return table.givenUp(
          key.flight,
          key.key,
          key.hash,
          terms,
          aged,
          error,
          reads: mode == .default
        )
      }
    }
  }

  /// The load as its breaker knows it: all calls of the producer are one.
  var source: Breaker.Load { ObjectIdentifier(work) }

  /// Whether the source's failure is to be counted now; once.
  private func countFailure() -> Bool {
    !hasFailed.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Whether it is never held back: somebody has asked for a load whatever there is.
  var isExplicit: Bool { mode == .bypass || mode == .reload && permit == nil }

  /// A call of the producer has ended without an answer.
  func sourceFailed(_ error: any Error, isOver: Bool) {
    guard mode != .bypass, !(error is HeldBack) else { return }
    // The failure of a second call says nothing new.
    if !isOver, terms.isFailure(error), !countFailure() { return }
    table.sourceFailed(source, terms, error, isOver: isOver)
  }

  /// Ends a key's flight whose producer rests, since another load has failed after its caller looked.
  private func rests(_ key: BatchKey<ID, Value>) -> Bool {
    guard key.refresh == nil, let aged = key.aged,
      let loaded = table.resting(aged, key.key, key.hash, terms)
    else { return false }
    key.flight.complete(.success(loaded))
    return true
  }

  private func run(_ keys: [BatchKey<ID, Value>]) async {
    if mode == .reload { await core.lookAtLedgers() }
    var open: [BatchKey<ID, Value>] = []
    for var key in keys {
      guard work.isWanted(key.position) else {
        key.flight.complete(.failure(CancellationError()))
        continue
      }
      if let refresh = key.refresh, let loaded = table.overtaken(refresh, key.key, key.hash, terms)
      {
        key.flight.complete(.success(loaded))
        continue
      }
      if mode == .default {
        key.aged = key.refresh?.restingValue ?? table.agedInMemory(key.key, key.hash, terms)
        if let aged = key.aged { key.flight.offer(aged.fallback(core)) }
      } else {
        key.slot.marks = core.loadMarks
      }
      open.append(key)
    }
    if mode == .default, core.hasTiers { open = await look(open) }
    open.removeAll { rests($0) }
    if permit == nil { for _ in open { core.counters.misses.add() } }
    var start = open.startIndex
    while start < open.endIndex {
      let end = open.index(start, offsetBy: request.maximum, limitedBy: open.endIndex)
      produce(Array(open[start..<(end ?? open.endIndex)]))
      start = end ?? open.endIndex
    }
  }
}
