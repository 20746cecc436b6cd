/// The two steps of a sequence of updates, without the type of its key.
struct UpdateSteps<Value: Sendable>: Sendable {
  typealias Step = @Sendable () async throws -> Loaded<Value>

  let time: TimeSource
  /// What is cached, fresh or in a window; else what a load gives.
  let first: Step
  /// What a load gives, whatever is cached; one that runs is joined.
  let renewed: Step

  /// Makes the steps of a table, which stays that of its function as long as they may be taken.
  init<Key>(
    _ cache: Cache<Key, Value>,
    _ key: Key,
    _ request: LoadRequest<Value>,
    user: (any AnyObject & Sendable)? = nil
  ) {
    time = cache.core.time
    first = {
      defer { withExtendedLifetime(user) {} }
      return try await cache.cachedOrLoaded(key, request)
    }
    renewed = {
      defer { withExtendedLifetime(user) {} }
      return try await cache.renew(key, request)
    }
  }

  init(time: TimeSource, first: @escaping Step, renewed: @escaping Step) {
    self.time = time
    self.first = first
    self.renewed = renewed
  }

  /// The same with a value of its own where nothing is shown and the load fails.
  func orFallback(_ fallback: Value) -> UpdateSteps {
    UpdateSteps(
      time: time,
      first: { [time] in
        do { return try await first() } catch {
          if error is CancellationError { throw error }
          let now = time.precise
          return Loaded(value: fallback, source: .produced, storedAt: now, deadline: now)
        }
      },
      renewed: renewed
    )
  }
}

extension Cache {
  /// What is cached, fresh or in a window; else what a load gives.
  fileprivate func cachedOrLoaded(
    _ key: Key,
    _ request: LoadRequest<Value>
  ) async throws -> Loaded<Value> {
    if let scoped = scoped(key) {
      return try await scoped.table.cachedOrLoaded(scoped.key, request)
    }
    let terms = try core.terms(of: request.policy)
    try core.checkScope(terms)
    if request.mode == .default, !core.isClosed,
      let loaded = try await cachedForRefresh(key, terms)
    {
      return loaded
    }
    return try await load(key, request).loaded
  }
}
