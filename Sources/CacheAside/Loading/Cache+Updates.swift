extension Cache {
  /// The cached value at once, then the value of a new load when it differs: for user interfaces.
  ///
  /// ```swift
  /// for try await profile in profiles.updates(id, { try await api.profile(id) }) { show(profile) }
  /// ```
  ///
  /// First comes what is cached, fresh or in one of the stale windows, while a load begins behind
  /// it. The value of that load follows if it differs (one that is not `Equatable` always does), and
  /// the sequence ends. Where nothing is cached there is one value, of the load. A load that fails
  /// ends the sequence, by throwing only when nothing was shown. Sequences of one key share their
  /// load. Whoever stops iterating, or is cancelled, leaves the load as any other caller does.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - expiry: how long a produced value stays fresh, unless the producer says otherwise.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` takes the policy's.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     takes the policy's.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: what else this call decides; unset fields are the feature's.
  ///   - producer: computes the value.
  /// - Returns: the sequence; nothing is read before it is iterated.
  @_disfavoredOverload  // A producer that only throws would be ambiguous.
  public func updates(
    _ key: Key,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer: @escaping @concurrent @Sendable () async throws -> Value
  ) -> CacheUpdates<Value> {
    updates(
      key,
      CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate,
        staleIfError: staleIfError,
        tags: tags
      ),
      .plain(producer)
    )
  }

  /// The cached value at once, then that of a new load: as with a plain producer, for one that decides.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - expiry: how long a produced value stays fresh, unless the producer says otherwise.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` takes the policy's.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     takes the policy's.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: what else this call decides; unset fields are the feature's.
  ///   - producer: computes the answer.
  /// - Returns: the sequence; nothing is read before it is iterated.
  public func updates(
    _ key: Key,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer: @escaping @concurrent @Sendable () async throws -> Produced<Value>
  ) -> CacheUpdates<Value> {
    updates(
      key,
      CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate,
        staleIfError: staleIfError,
        tags: tags
      ),
      .deciding(producer)
    )
  }

  /// The cached value at once, then that of a new load: as with a plain producer, for one that sees the
  /// previous value.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - expiry: how long a produced value stays fresh, unless the producer says otherwise.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` takes the policy's.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     takes the policy's.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: what else this call decides; unset fields are the feature's.
  ///   - producer: gets the previous value, if there is one, and computes the answer.
  /// - Returns: the sequence; nothing is read before it is iterated.
  public func updates(
    _ key: Key,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer: @escaping @concurrent @Sendable (Previous<Value>?) async throws -> Produced<Value>
  ) -> CacheUpdates<Value> {
    updates(
      key,
      CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate,
        staleIfError: staleIfError,
        tags: tags
      ),
      .conditional(producer)
    )
  }

  func updates(
    _ key: Key,
    _ policy: CachePolicy,
    _ producer: Producer<Value>
  ) -> CacheUpdates<Value> {
    let request = LoadRequest(mode: .default, policy: policy, storing: nil, producer: producer)
    return CacheUpdates(UpdateSteps(self, key, request))
  }
}
