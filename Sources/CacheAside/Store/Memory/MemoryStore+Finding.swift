extension MemoryStore {
  /// Whether there is an entry of a key, whatever its state; copies and releases nothing.
  func holds(_ key: Key, hash: UInt64) -> Bool {
    withTable(shardIndex(hash)) { $0.find(key, hash) >= 0 }
  }

  /// The same for a key that is hashed here.
  func holds(_ key: Key) -> Bool { holds(key, hash: hash(of: key)) }

  /// What is under a key, whatever its state, without a trace of the look.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: what ``hash(of:)`` returned for it.
  ///   - now: the present moment.
  /// - Returns: the finding, and the entry unless there is none.
  func finding(
    _ key: Key,
    hash: UInt64,
    now: Int64
  ) -> (finding: CacheFinding, entry: MemoryEntry<Value>?) {
    let found = withTable(shardIndex(hash)) {
      table -> (entry: MemoryEntry<Value>, isOut: Bool)? in
      let slot = table.find(key, hash)
      if slot < 0 { return nil }
      let position = table.position(slot)
      return (table.entry(at: position), table.core.table.isOut(at: position))
    }
    guard let (entry, isOut) = found else { return (.absent, nil) }
    if isOut { return (.invalidated, entry) }
    if entry.deadline == .max || now < entry.deadline { return (.fresh, entry) }
    return (now < entry.keptUntil ? .expired : .gone, entry)
  }
}
