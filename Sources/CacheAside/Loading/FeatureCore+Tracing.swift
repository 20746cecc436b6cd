// How changes are recorded while a trace is bound: as calls are (`Cache+Tracing`). What a change does
// inside, such as the removal that a value without a lifetime comes to, belongs to its note.

extension FeatureCore {
  /// The note of a change that begins here; `nil` without a trace, and inside a call that has one.
  ///
  /// - Parameters:
  ///   - verb: what it does.
  ///   - table: the named form that was asked, if any.
  ///   - key: the key in its namespace; `nil` for a selector.
  ///   - selector: what it is about, unless that is a key.
  /// - Returns: the note.
  func changeNote(
    _ verb: String,
    _ table: String? = nil,
    key: @autoclosure () -> CacheKey? = nil,
    about selector: @autoclosure () -> CacheSelector? = nil
  ) -> CallNote? {
    guard let trace = Ambient.trace, note == nil else { return nil }
    let none = CacheKey(text: "", namespace: namespace)
    var entry = CacheTrace.Entry(feature: name, table: table, key: key() ?? none, mode: verb)
    entry.selector = selector().map(CacheSelection.init)
    return CallNote(entry, in: trace, of: self, time: time)
  }

  /// Runs a verb that changes something, as part of its note if there is one.
  ///
  /// - Throws: what it throws; `CacheError` with the code `closed` when `close` had begun before, and when
  ///   it was cut off because `close` could wait no longer.
  nonisolated(nonsending) func performing<Result>(
    _ note: CallNote?,
    _ change: () async throws -> Result
  ) async throws -> Result {
    try await tracing(note) {
      guard verbs.begin() else { throw closedError(nil) }
      defer { verbs.end() }
      let result = try await change()
      try checkCompleted()
      return result
    }
  }

  /// The same on the calling thread.
  func performing<Result>(_ note: CallNote?, _ change: () throws -> Result) throws -> Result {
    try tracing(note) {
      guard verbs.begin() else { throw closedError(nil) }
      defer { verbs.end() }
      let result = try change()
      try checkCompleted()
      return result
    }
  }

  /// Runs a change as part of its note; as it is without one.
  private nonisolated(nonsending) func tracing<Result>(
    _ note: CallNote?,
    _ change: () async throws -> Result
  ) async rethrows -> Result {
    guard let note else { return try await change() }
    do {
      let result = try await Ambient.with(note: note, change)
      note.ends(isClosed ? .closed : .change)
      return result
    } catch {
      end(note, error)
      throw error
    }
  }

  /// The same on the calling thread.
  private func tracing<Result>(_ note: CallNote?, _ change: () throws -> Result) rethrows -> Result
  {
    guard let note else { return try change() }
    do {
      let result = try Ambient.with(note: note, change)
      note.ends(isClosed ? .closed : .change)
      return result
    } catch {
      end(note, error)
      throw error
    }
  }

  private func end(_ note: CallNote, _ error: any Error) {
    let isScopeMissing = (error as? CacheError)?.code == .missingScope
    note.ends(isScopeMissing ? .requiredScope : .change) { $0.error = "\(error)" }
  }

  /// Runs the user's code inside a change: what it asks of the cache is recorded by itself.
  func outsideNote<Result>(_ body: () throws -> Result) rethrows -> Result {
    note == nil ? try body() : try Ambient.with(note: nil, body)
  }
}
