extension Cache where Key: CacheKeyConvertible {
  /// Makes a cache of its own, outside any `Caches`.
  ///
  /// ```swift
  /// let profiles = try Cache<Int, Profile>(name: "profiles", expiry: .minutes(5)) {
  ///   Memory(.count(1_000))
  ///   Disk(limit: .megabytes(50))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: part of every key in its stores, and the folder's name on disk.
  ///   - expiry: how long values stay fresh; `nil` means never expiring.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` means not at all.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     means not at all.
  ///   - tags: labels of every entry, by which they can be expired or removed.
  ///   - version: the version of its keys; raise it when stored values change their meaning.
  ///   - policy: everything else.
  ///   - strict: whether settings that contradict each other are refused, and a call whose value can never
  ///     reach a store throws; they are events otherwise.
  ///   - time: the clock.
  ///   - codec: how values become bytes; `nil` takes the one for the type.
  ///   - cost: the cost of a value in memory, called outside all locks; `nil` takes its size as far
  ///     as it can be seen.
  ///   - onRemoval: called after a value has left memory, outside all locks, in order for each key;
  ///     while it is being called, some 10,000 removals wait, and more are only counted.
  ///   - stores: its stores, fastest first.
  /// - Throws: `CacheError` for settings that contradict each other; what opening a store throws.
  public convenience init(
    name: String,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    version: Int? = nil,
    policy: CachePolicy = CachePolicy(),
    strict: Bool = false,
    time: TimeSource = .system,
    codec: Codec<Value>? = nil,
    cost: (@Sendable (Value) -> Int)? = nil,
    onRemoval: (@Sendable (Key, Value, RemovalReason) -> Void)? = nil,
    @StoresBuilder stores: () throws -> [any StoreComponent]
  ) throws {
    let policy = CachePolicy(
      over: policy,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    )
    let plan = FeaturePlan(name: name, version: version, policy: policy, stores: try stores())
    self.init(
      core: try plan.makeCore(defaults: CachePolicy(), time: time, isStrict: strict),
      strategy: .single,
      codec: codec,
      cost: cost,
      onRemoval: onRemoval
    )
  }
}
