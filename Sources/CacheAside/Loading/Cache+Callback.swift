extension Cache {
  /// Loads through a callback producer, sharing flights with every other caller of the key.
  ///
  /// The block runs on this thread when this call leads. The completion is called exactly once: at
  /// once for a hit of memory or a blocking store, within this call when the block answers
  /// synchronously, else on the thread that answers.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - block: the callback producer.
  ///   - completion: receives the outcome or the error.
  func load(
    _ key: Key,
    block: CacheBlock<Value>,
    completion: @escaping @Sendable (Result<CacheOutcome<Value>, any Error>) -> Void
  ) {
    if let scoped = scoped(key) {
      return scoped.table.load(scoped.key, block: block, completion: completion)
    }
    if let hit = memoryHit(key) { return completion(.success(outcome(hit, joined: false))) }
    if let found = readBlocking(key, anyAge: false, thenLoads: true) {
      return completion(.success(outcome(found, joined: false)))
    }
    let hash = memory.hash(of: key)
    let storeKey = core.hasTiers ? storeKey(key) : nil
    // In a closed cache every call runs its own block, which nobody can join.
    let flights = core.isClosed ? FlightTable(time: core.time) : flights
    flights.loadCallback(
      key,
      hash: hash,
      supersede: false,
      probe: { lateHit(key, hash) },
      start: { answer in
        core.counters.misses.add()
        run(
          block,
          answer,
          at: Slot(
            key: key,
            hash: hash,
            storeKey: storeKey,
            registration: answer.registration
          )
        )
      },
      onSecondAnswer: { [core, strategy] in
        core.report(.answeredTwice, key: strategy.derive(key))
      },
      completion: { [self] result, joined in
        if joined { core.counters.coalesced.add() }
        completion(result.map { outcome($0, joined: joined) })
      }
    )
  }

  private func outcome(_ loaded: Loaded<Value>, joined: Bool) -> CacheOutcome<Value> {
    loaded.outcome(joined: joined, now: core.time.precise)
  }

  /// Runs the block; its first answer is stored on the thread that gives it, then released.
  private func run(
    _ block: CacheBlock<Value>,
    _ answer: CallbackAnswer<Loaded<Value>>,
    at slot: Slot<Key>
  ) {
    let start = core.time.precise
    block(
      { [self] value, expiry in
        answer.answer {
          core.counters.loads.add()
          core.counters.loadNanoseconds.add(UInt64(max(0, core.time.precise - start)))
          return Result {
            try storeBlocking(
              Produced(value, expiry: expiry, isStored: !core.isClosed),
              policy: core.policy,
              at: slot
            )
          }
        }
      },
      { [self] error in
        answer.answer {
          if !(error is CancellationError) { loadFailed(slot.key, error) }
          return .failure(error)
        }
      }
    )
  }
}
