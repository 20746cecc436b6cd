extension Ambient {
  /// The bound trace; costs nothing to speak of in programs that never bind one.
  static var trace: CacheTrace? { use.hasTraces ? context.trace : nil }

  /// The traced call that the current code belongs to.
  static var note: CallNote? { use.hasTraces ? context.note : nil }

  /// Runs code as part of a traced call, or of none: a producer's calls have notes of their own.
  static func with<Result>(
    note: CallNote?,
    _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await $context.withValue(noting(note), operation: operation)
  }

  /// The same on the calling thread; what runs behind an answer belongs to no trace.
  static func with<Result>(
    note: CallNote?,
    isTraced: Bool = true,
    _ operation: () throws -> Result
  ) rethrows -> Result {
    let context = isTraced ? noting(note) : forBackground()
    return try $context.withValue(context, operation: operation)
  }

  private static func noting(_ note: CallNote?) -> AmbientContext {
    let context = context
    return AmbientContext(
      caches: context.caches,
      tables: context.tables,
      scope: context.scope,
      mode: context.mode,
      trace: context.trace,
      note: note
    )
  }
}

extension FeatureCore {
  /// The traced call of this feature that the current code belongs to.
  var note: CallNote? {
    guard let note = Ambient.note, note.owner == ObjectIdentifier(self) else { return nil }
    return note
  }

  /// Counts a call that threw because its patience was at its end.
  func countTimeout(_ error: any Error) {
    if (error as? CacheError)?.code == .timedOut { counters.timeouts.add() }
  }
}

extension CallNote? {
  /// Runs code as part of a traced call, on whatever thread it continues; as it is without one.
  func running<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let self else { return try body() }
    return try Ambient.with(note: self, body)
  }
}
