extension Cache {
  /// The fresh values of several keys from memory and slower stores, each store asked once; never
  /// loads.
  ///
  /// - Parameter keys: the keys; one that is there twice is read once.
  /// - Returns: the values that were found.
  /// - Throws: `CancellationError`; `CacheError` with the code `missingScope`, with `closed` once
  ///   ``close(within:)`` has begun, and what a store threw under the fault policy `.fail`.
  public nonisolated(nonsending) func values(for keys: [Key]) async throws -> [Key: Value] {
    try core.checkOpen()
    try core.checkScope(core.terms)
    var values: [Key: Value] = [:]
    var own: [Key] = []
    var elsewhere: [CacheKey: [Key]] = [:]
    for key in Set(keys) {
      if let scoped = scoped(key) {
        elsewhere[scoped.key, default: []].append(key)
      } else {
        own.append(key)
      }
    }
    if !elsewhere.isEmpty {
      for (key, value) in try await tableByCacheKey.valuesUnscoped(Array(elsewhere.keys)) {
        for original in elsewhere[key] ?? [] { values[original] = value }
      }
    }
    values.merge(try await valuesUnscoped(own)) { _, value in value }
    return values
  }

  private nonisolated(nonsending) func valuesUnscoped(_ keys: [Key]) async throws -> [Key: Value] {
    var values: [Key: Value] = [:]
    var slots: [Slot<Key>] = []
    defer {
      for slot in slots {
        flights.unregister(slot.registration, key: slot.key, hash: slot.hash)
      }
    }
    for key in keys {
      let hash = memory.hash(of: key)
      if let value = memory.value(for: key, hash: hash) {
        values[key] = value
      } else if let late = lateHit(key, hash) {
        values[key] = late.value
      } else if core.usesTiers {
        slots.append(readerSlot(key, hash, storeKey(key)))
      } else {
        core.counters.misses.add()
      }
    }
    guard !slots.isEmpty else { return values }
    let storeKeys = slots.map { $0.storeKey ?? storeKey($0.key) }
    let looks: [BulkLook<Value>]
    do { looks = try await lookAll(storeKeys, .none) } catch {
      for _ in slots { countLookup(nil) }
      throw error
    }
    for (index, slot) in slots.enumerated() {
      guard case .fresh(let found) = looks[index].look else {
        countLookup(nil)
        continue
      }
      countLookup(found)
      await promote(found, storeKeys[index], slot)
      values[slot.key] = found.loaded.value
    }
    return values
  }
}
