// Callers that meet a load behind answers in a feature without memory. With memory they get what the
// load replaces from there or from the load itself; without, every read asks the slower tiers, where
// another process may have removed it since the load began. So do these, and whoever finds it removed
// starts anew: the load began before that (F4).

extension FeatureCore {
  /// Whether every read asks the slower tiers.
  var readsTiersOnly: Bool { hasTiers && !memoryPlan.storesAnything }
}

extension Cache {
  /// Returns what the slower tiers have beside a load that replaces it, else loads anew.
  @inline(never)
  nonisolated(nonsending) func loadBeside(
    _ flight: Flight<Loaded<Value>>,
    _ key: Key,
    _ request: LoadRequest<Value>
  ) async throws -> (loaded: Loaded<Value>, joined: Bool) {
    let look = try await look(storeKey(key), core.terms(of: request.policy), isCounted: true)
    let hash = memory.hash(of: key)
    if let loaded = served(look, beside: flight, key, hash) { return (loaded, false) }
    return try await load(key, request)
  }

  /// What is served of what was found beside a load.
  ///
  /// - Returns: `nil` if there is nothing any more; nobody joins the load then.
  func served(
    _ look: Look<Value>,
    beside flight: Flight<Loaded<Value>>,
    _ key: Key,
    _ hash: UInt64
  ) -> Loaded<Value>? {
    switch look {
    case .fresh(let found): return found.loaded
    case .aged(_, let aged):
      if let loaded = serveStale(aged, key, hash) {
        core.counters.staleServed.add()
        return loaded
      }
    case .nothing: break
    }
    flights.unregister(flight.registration, key: key, hash: hash)
    return nil
  }
}
