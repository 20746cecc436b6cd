// How calls are recorded while a trace is bound. A call that begins makes a note and runs again as
// part of it; the engine writes what it does to the note of the current code.

extension Cache {
  /// Whether a call that begins here has a note of its own.
  var isNoted: Bool { Ambient.trace != nil && core.note == nil }

  /// The note of a call that begins here; `nil` without a trace, and inside a call that has one.
  func newNote(_ key: Key, _ mode: String = "read", batch: Int? = nil) -> CallNote? {
    guard let trace = Ambient.trace, core.note == nil else { return nil }
    if let scoped = scoped(key) { return scoped.table.newNote(scoped.key, mode, batch: batch) }
    var call = entry(key, mode)
    call.batch = batch
    let note = CallNote(call, in: trace, of: core, time: core.time)
    guard core.memoryPlan.storesAnything, mode != "reload", mode != "bypass" else { return note }
    note.asks("memory")
    if let takenOut = trace.takenOut(for: call.key) {
      note.answers(takenOut.finding, age: takenOut.age, tags: takenOut.tags)
      return note
    }
    let now = core.time.precise
    let (finding, entry) = memory.finding(key, hash: memory.hash(of: key), now: now)
    note.answers(
      finding,
      age: entry.map { Loaded<Value>.age($0.storedAt, now) },
      tags: entry?.terms?.tags ?? []
    )
    return note
  }

  private func entry(_ key: Key, _ mode: String) -> CacheTrace.Entry {
    CacheTrace.Entry(feature: core.name, table: tableName, key: storeKey(key), mode: mode)
  }

  /// A hit of memory under a trace; counts and records recency.
  @inline(never)
  func probe(_ key: Key, in trace: CacheTrace) -> Value? {
    if let scoped = scoped(key) { return scoped.table.probe(scoped.key, in: trace) }
    let now = core.time.precise
    let hash = memory.hash(of: key)
    let (finding, older) = memory.finding(key, hash: hash, now: now)
    guard let value = memory.value(for: key, hash: hash) else {
      if let older, finding == .invalidated || finding == .gone {
        let age = Loaded<Value>.age(older.storedAt, now)
        let tags = older.terms?.tags ?? []
        trace.keep(.init(finding: finding, age: age, tags: tags), for: storeKey(key))
      }
      return nil
    }
    var entry = entry(key, "default")
    let found = memory.entry(for: key)
    entry.rule = Self.isNil(value) ? .negative : .fresh
    entry.source = .memory
    entry.age = found.map { Loaded<Value>.age($0.storedAt, now) }
    entry.remainingLife = found.flatMap { Loaded<Value>.remaining($0.deadline, now) }
    entry.tags = found?.terms?.tags ?? []
    entry.tiers = [.init(tier: "memory", finding: .fresh, age: entry.age, took: .zero)]
    trace.add(entry)
    return value
  }

  // Functions of their own: a caller that waits keeps the frame of the one that called them.

  /// A lookup as part of its note.
  @inline(never)
  nonisolated(nonsending) func tracedLookup(
    _ key: Key,
    _ request: LoadRequest<Value>,
    _ note: CallNote
  ) async throws -> (loaded: Loaded<Value>, joined: Bool) {
    try await noting(note) { try await lookup(key, request) }
  }

  /// A load as part of its note.
  @inline(never)
  nonisolated(nonsending) func tracedLoad(
    _ key: Key,
    _ request: LoadRequest<Value>,
    _ note: CallNote
  ) async throws -> (loaded: Loaded<Value>, joined: Bool) {
    try await noting(note) { try await load(key, request) }
  }

  private nonisolated(nonsending) func noting(
    _ note: CallNote,
    _ body: () async throws -> (loaded: Loaded<Value>, joined: Bool)
  ) async throws -> (loaded: Loaded<Value>, joined: Bool) {
    do {
      let (loaded, joined) = try await Ambient.with(note: note, body)
      end(note, loaded, joined: joined)
      return (loaded, joined)
    } catch {
      end(note, error)
      throw error
    }
  }

  /// A read that never loads, as part of its note.
  nonisolated(nonsending) func tracedRead(
    _ key: Key,
    _ note: CallNote
  ) async throws -> Loaded<Value>? {
    do {
      let loaded = try await Ambient.with(note: note) { try await readTiers(key, anyAge: false) }
      end(note, loaded, joined: false)
      return loaded
    } catch {
      end(note, error)
      throw error
    }
  }

  /// The same on the calling thread.
  func tracedReadBlocking(_ key: Key, _ note: CallNote, anyAge: Bool) -> Loaded<Value>? {
    let loaded = Ambient.with(note: note) { readBlocking(key, anyAge: anyAge) }
    end(note, loaded, joined: false)
    return loaded
  }

  /// Ends the note of a call that was answered, or found nothing.
  func end(_ note: CallNote, _ loaded: Loaded<Value>?, joined: Bool) {
    guard let loaded else { return note.ends(core.isClosed ? .closed : .cacheOnly) }
    end(note, loaded.outcome(joined: joined, now: core.time.precise))
  }

  /// Ends the note of a call that was answered.
  func end(_ note: CallNote, _ outcome: CacheOutcome<Value>) {
    note.ends(rule(of: outcome)) {
      $0.source = outcome.source
      $0.age = outcome.age
      $0.remainingLife = outcome.remainingLife
      $0.decideByMode()
      if $0.rule == .fresh, $0.refresh == .refreshAhead { $0.rule = .refreshAhead }
    }
  }

  /// Ends the note of a call that threw.
  func end(_ note: CallNote, _ error: any Error) {
    let rule: CacheRule =
      switch (error as? CacheError)?.code {
      case .notCached?: .cacheOnly
      case .missingScope?: .requiredScope
      case .timedOut?: .hardTimeout
      case .backingOff?: .breaker
      case .abandoned?: .abandonAfter
      case .recursiveLoad?: .recursiveLoad
      default: core.isClosed ? .closed : .absent
      }
    note.ends(rule) { $0.error = "\(error)" }
  }

  private func rule(of outcome: CacheOutcome<Value>) -> CacheRule {
    switch outcome.source {
    case .stale(.anyAge): .anyAge
    case .stale(.loadFailed): .staleIfError
    case .stale(.resting): .retryAfterFailure
    case .stale(.softTimeout): .softTimeout
    case .stale(.hardTimeout): .hardTimeout
    case .stale: .staleWhileRevalidate
    case .produced: core.isClosed ? .closed : .absent
    case .coalesced: .singleFlight
    case .memory, .store: Self.isNil(outcome.value) ? .negative : .fresh
    }
  }

  static func isNil(_ value: Value) -> Bool {
    (value as? any AnyOptional)?.isAbsent ?? false
  }

  /// A call by callback as part of its note.
  func noting(
    _ note: CallNote,
    _ completion: @escaping @Sendable (Result<CacheOutcome<Value>, any Error>) -> Void,
    _ body: (@escaping @Sendable (Result<CacheOutcome<Value>, any Error>) -> Void) -> Void
  ) {
    Ambient.with(note: note) {
      body { [self] result in
        switch result {
        case .success(let outcome): end(note, outcome)
        case .failure(let error): end(note, error)
        }
        Ambient.with(note: nil) { completion(result) }
      }
    }
  }

  /// Counts a load in the background that was started, and notes it for the call that caused it.
  func noteRefresh(_ refresh: Refresh<Value>, _ isStarted: Bool) {
    guard isStarted else { return }
    core.counters.refreshes.add()
    core.note?.refreshes(Self.rule(of: refresh))
  }

  /// Notes a load by callback that begins after its call has ended, unless one is there already.
  func noteLoadBehind(_ refresh: Refresh<Value>, _ key: Key, _ hash: UInt64) {
    guard let note = core.note else { return }
    let hashed = HashedKey(key: key, hash: hash)
    if flights.stripe(hash).flight(hashed) == nil { note.refreshes(Self.rule(of: refresh)) }
  }

  private static func rule(of refresh: Refresh<Value>) -> CacheRule {
    switch refresh {
    case .stale: .staleWhileRevalidate
    case .ahead: .refreshAhead
    case .asked: .reload
    }
  }

  /// What a record of a slower tier is to this table, by its times, type and schema.
  func finding(_ record: CacheEntry) -> CacheFinding {
    let freshness = Freshness(
      created: record.created,
      freshUntil: record.freshUntil,
      keptUntil: record.keptUntil,
      isExpiredByHand: record.isExpiredByHand,
      wall: core.time.wall
    )
    if freshness == .gone { return .gone }
    guard isOwnForm(record), record.codec == codec?.identifier else { return .otherType }
    guard record.schema == schema else { return .otherSchema }
    return freshness == .fresh ? .fresh : .expired
  }
}

extension CacheTrace.Entry {
  /// What was loaded because of the mode is not said to be for want of a value.
  mutating func decideByMode() {
    switch mode {
    case "reload" where rule == .absent: rule = .reload
    case "bypass" where rule == .absent: rule = .bypass
    default: break
    }
  }
}

extension CallNote {
  /// A slower tier has answered a table's read.
  func answers<Key, Value>(_ record: CacheEntry?, _ table: Cache<Key, Value>) {
    guard let record else { return answers(.absent) }
    answers(
      table.finding(record),
      age: record.age(at: table.core.time.wall),
      tags: record.metadata.tags
    )
  }
}
