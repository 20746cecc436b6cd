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
