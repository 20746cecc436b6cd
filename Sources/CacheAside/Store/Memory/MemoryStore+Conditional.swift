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
}
