// Reading: tombstones are checked before the store is asked and again when it has answered. One key is
// a bulk of one.

extension Tier {
  /// Reads a record of any age; what must not be served is absent.
  ///
  /// - Throws: only under ``TierFaultPolicy/fail``, or when the caller was cancelled.
  func read(_ key: CacheKey, _ note: CallNote? = nil) async throws -> CacheEntry? {
    try await read([key], [note])[0]
  }

  /// Reads records of any age, in the order of the keys; what must not be served is absent.
  ///
  /// - Throws: only under ``TierFaultPolicy/fail``, or when the caller was cancelled.
  func read(_ keys: [CacheKey], _ notes: [CallNote?] = []) async throws -> [CacheEntry?] {
    // While the tier is being closed nothing is there.
    guard !keys.isEmpty, let operation = began(keys, notes) else {
      return keys.map { _ in nil }
    }
    defer { operations.end(operation) }
    var reading = TierReading(keys, notes)
    for (index, key) in keys.enumerated() {
      if tombstones.covers(key), await !repeatRemoval(key, operation) {
        reading.refuse(index, .tombstone)
      } else {
        reading.open.append(index)
      }
    }
    while !reading.open.isEmpty {
      let mark = tombstones.mark
      let asked = reading.open
      let results = await fetch(asked.map { keys[$0] }, operation)
      if Task.isCancelled, results.contains(where: \.isCancellation) { throw CancellationError() }
      try take(results, asked, &reading, since: mark)
    }
    if reading.hasAnswers {
      repeatFailed()
    } else if store.loadMark != nil {
      // What is loaded now must not be written with the mark of an older look. That this one fails,
      // too, is no news.
      _ = try? await call(operation) { [store] in try await store.changes(since: nil) }
    }
    return reading.answers
  }

  /// Reads a record on the calling thread; a tier that suspends is passed over.
  func readBlocking(_ key: CacheKey, _ note: CallNote? = nil) throws -> CacheEntry? {
    guard let blocking, let operation = try? begin(.read, key) else { return nil }
    defer { operations.end(operation) }
    var reading = TierReading([key], [note])
    if tombstones.covers(key), !repeatRemoval(key, blocking, operation) {
      reading.refuse(0, .tombstone)
    } else {
      reading.open.append(0)
    }
    while !reading.open.isEmpty {
      let mark = tombstones.mark
      try take(fetch([key], blocking), reading.open, &reading, since: mark)
    }
    if reading.hasAnswers { repeatFailed() }
    return reading.answers[0]
  }

  /// How often a record is read while removals that have failed are repeated beside it.
  private static let mostRounds = 16

  /// Judges what a store has answered; what is to be read again stays open.
  private func take(
    _ results: [Result<CacheEntry?, any Error>],
    _ asked: [Int],
    _ reading: inout TierReading,
    since mark: UInt64
  ) throws {
    reading.rounds += 1
    reading.open = []
    var failure: (key: CacheKey, error: any Error)?
    for (index, result) in zip(asked, results) {
      switch result {
      case .success(nil): break
      case .success(let entry?):
        switch tombstones.verdict(reading.keys[index], entry, since: mark, time.wall) {
        case .take: reading.answers[index] = entry
        case .readAgain where reading.rounds < Self.mostRounds: reading.open.append(index)
        case .hide, .readAgain: reading.refuse(index, .tombstone)
        }
      case .failure(let error):
        reading.refuse(index, .failed, error)
        reading.hasFailed = true
        // A store that suspends has failed once, however many were asked of it.
        if blocking != nil { try readFailed(reading.keys[index], error) }
        failure = failure ?? (reading.keys[index], error)
      }
    }
    if blocking == nil, let failure { try readFailed(failure.key, failure.error) }
  }

  private func began(_ keys: [CacheKey], _ notes: [CallNote?]) -> TierOperation? {
    do { return try begin(.read, keys.first, count: keys.count) } catch {
      for note in notes { note?.refuses(.failed, error) }
      return nil
    }
  }

  /// Lists the records of a namespace that may be served.
  ///
  /// - Throws: what the store threw.
  func list<Selected: Sendable>(
    _ namespace: Namespace,
    _ select: @escaping @Sendable (CacheKey, CacheEntry) -> Selected?
  ) async throws -> [Selected] {
    let operation = try begin(.listing)
    defer { operations.end(operation) }
    let mark = tombstones.mark
    let listed = try await scan(namespace, operation) { [self] key, entry in
      judge(key, entry, since: mark, select)
    }
    var found: [Selected] = []
    var again: [CacheKey] = []
    for one in listed {
      switch one {
      case .selected(let selected): found.append(selected)
      case .again(let key): again.append(key)
      }
    }
    for (key, entry) in zip(again, try await read(again)) {
      if let entry, let selected = select(key, entry) { found.append(selected) }
    }
    repeatFailed()
    return found
  }

  /// The same on the calling thread; a tier that suspends is passed over.
  func listBlocking<Selected>(
    _ namespace: Namespace,
    _ select: (CacheKey, CacheEntry) -> Selected?
  ) throws -> [Selected] {
    guard let blocking else { return [] }
    let operation = try begin(.listing)
    defer { operations.end(operation) }
    let mark = tombstones.mark
    let listed = try scan(namespace, blocking) { key, entry in
      judge(key, entry, since: mark, select)
    }
    var found: [Selected] = []
    for one in listed {
      switch one {
      case .selected(let selected): found.append(selected)
      case .again(let key):
        if let entry = try readBlocking(key), let selected = select(key, entry) {
          found.append(selected)
        }
      }
    }
    repeatFailed()
    return found
  }

  private func judge<Selected>(
    _ key: CacheKey,
    _ entry: CacheEntry,
    since mark: UInt64,
    _ select: (CacheKey, CacheEntry) -> Selected?
  ) -> Listed<Selected>? {
    switch tombstones.verdict(key, entry, since: mark, time.wall) {
    case .take: select(key, entry).map { .selected($0) }
    case .hide: nil
    case .readAgain: .again(key)
    }
  }
}

/// A record that a listing has found.
private enum Listed<Selected> {
  case selected(Selected)
  /// What hid it was lifted meanwhile: it may have been listed before it was gone.
  case again(CacheKey)
}

extension Listed: Sendable where Selected: Sendable {}

/// The keys of one read, with what is known of each.
private struct TierReading {
  let keys: [CacheKey]
  let notes: [CallNote?]
  var answers: [CacheEntry?]
  /// The places of those that the store has to be asked for.
  var open: [Int] = []
  var rounds = 0
  var hasFailed = false

  /// Whether the store has answered.
  var hasAnswers: Bool { rounds > 0 && !hasFailed }

  init(_ keys: [CacheKey], _ notes: [CallNote?]) {
    self.keys = keys
    self.notes = notes
    answers = keys.map { _ in nil }
  }

  func refuse(_ index: Int, _ finding: CacheFinding, _ error: (any Error)? = nil) {
    if index < notes.count { notes[index]?.refuses(finding, error) }
  }
}

extension Result where Failure == any Error {
  fileprivate var isCancellation: Bool {
    if case .failure(let error) = self { error is CancellationError } else { false }
  }
}
