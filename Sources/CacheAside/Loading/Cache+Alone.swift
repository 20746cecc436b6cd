// Loads that join nobody and that nobody can join: where a call reads and stores nothing, and once the
// cache is closed.

extension Cache {
  /// The load of a call under a scope, which has another table, and of one that shares nothing.
  @inline(never)
  nonisolated(nonsending) func loadAlone(
    _ key: Key,
    _ request: LoadRequest<Value>
  ) async throws -> (loaded: Loaded<Value>, joined: Bool) {
    if let scoped = scoped(key) { return try await scoped.table.load(scoped.key, request) }
    let terms = try core.terms(of: request.policy)
    try core.checkScope(terms)
    try Task.checkCancellation()
    core.counters.misses.add()
    let seat = try flights.boardUnregistered(
      whenUnobserved: terms.fields.whenUnobserved ?? .cancel,
      limit: limit(key, memory.hash(of: key), terms)
    ) { [self] _ in
      try await produceOnly(key, request, terms)
    }
    let patience = startPatience(seat, terms.limits, after: request.patience)
    defer {
      seat.leaveGraph()
      patience?.cancel()
    }
    core.note?.boards(joined: false)
    let end = await seat.wait()
    do { return (try seat.output(after: end), false) } catch {
      core.countTimeout(error)
      throw error
    }
  }
}
