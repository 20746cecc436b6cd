extension MemoryStore {
  /// Removes a key if its value is accepted.
  ///
  /// For values of our own only: `condition` runs under the shard's lock.
  func remove(_ key: Key, reason: RemovalReason, where condition: (Value) -> Bool) -> Bool {
    let hash = hash(of: key)
    var displaced = displaced(from: shardIndex(hash))
    return withTable(shardIndex(hash)) { table in
      let slot = table.find(key, hash)
      if slot < 0 || !condition(unsafe table.entries[table.position(slot)].value) { return false }
      table.removeSlot(slot, reason, &displaced)
      return true
    }
  }

  /// Removes a key if its entry was not stored after a moment.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: what ``hash(of:)`` returned for it.
  ///   - moment: in monotonic nanoseconds; entries know theirs to the tick of the clock.
  func remove(_ key: Key, hash: UInt64, storedBy moment: Int64) {
    var displaced = displaced(from: shardIndex(hash))
    withTable(shardIndex(hash)) { table in
      let slot = table.find(key, hash)
      guard slot >= 0, table.entry(at: table.position(slot)).storedAt <= moment else { return }
      table.removeSlot(slot, .explicit, &displaced)
    }
  }

  /// Puts a changed value in the place of a key's value, at the same cost and with the same times, or
  /// removes it.
  ///
  /// For values of our own only: `change` runs under the shard's lock.
  func change(_ key: Key, reason: RemovalReason, _ change: (Value) -> Value?) {
    let hash = hash(of: key)
    var displaced = displaced(from: shardIndex(hash))
    withTable(shardIndex(hash)) { table in
      let slot = table.find(key, hash)
      if slot < 0 { return }
      let position = table.position(slot)
      if let value = change(unsafe table.entries[position].value) {
        unsafe table.entries[position].value = value
      } else {
        table.removeSlot(slot, reason, &displaced)
      }
    }
  }
}
