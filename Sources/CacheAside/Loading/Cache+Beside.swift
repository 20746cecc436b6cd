// Callers that meet a load behind answers in a feature without memory. With memory they get what the
// load replaces from there or from the load itself; without, every read asks the slower tiers, where
// another process may have removed it since the load began. So do these, and whoever finds it removed
// starts anew: the load began before that (F4).

extension FeatureCore {
  /// Whether every read asks the slower tiers.
  var readsTiersOnly: Bool { hasTiers && !memoryPlan.storesAnything }
}

extension Cache {
  /// Returns what the slower tiers have beside a load that replaces it; `nil` if the caller loads anew.
  ///
  /// It takes the parts of a request, so that callers that wait keep none in their frames.
  @inline(never)
  nonisolated(nonsending) func lookBeside(
    _ flight: Flight<Loaded<Value>>,
    _ key: Key,
    _ policy: CachePolicy
  ) async throws -> Loaded<Value>? {
    let terms = try core.terms(of: policy)
    let look = try await look(storeKey(key), terms, isCounted: true)
    return served(look, beside: flight, key, memory.hash(of: key), terms)
  }

  /// What is served of what was found beside a load.
  ///
  /// - Returns: `nil` if there is nothing any more; nobody joins the load then.
  func served(
    _ look: Look<Value>,
    beside flight: Flight<Loaded<Value>>,
    _ key: Key,
    _ hash: UInt64,
    _ terms: LoadTerms
  ) -> Loaded<Value>? {
    switch look {
    case .fresh(let found): return found.loaded
    case .aged(_, let aged):
      if let loaded = serveStale(aged, key, hash, terms) {
        core.counters.staleServed.add()
        return loaded
      }
    case .nothing: break
    }
    flights.unregister(flight.registration, key: key, hash: hash)
    return nil
  }
}
