import Synchronization

// The short way of a synchronous write. Where no slower store stands behind memory, and nothing is
// registered in the key's stripe, a write is one step under the lock of that stripe: there is no load
// to close and no moment at which it could be superseded. Everything else takes `setBlocking`.

extension Cache {
  /// Stores a value with the policy's lifetime in one step, if that is all there is to do.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: the key.
  /// - Returns: `false` if nothing was done, and the write has to take the long way, on which a closed
  ///   cache refuses it.
  @inlinable
  func setAtOnce(_ value: Value, for key: Key) -> Bool {
    let lifetime = core.plainLifetime
    if lifetime <= 0 { return false }
    if ambient.concernsHits, Ambient.concernsHits() { return false }
    if mayMissKeys, differs(key) { return false }
    let cost = costOf == nil && _isPOD(Value.self) ? max(1, MemoryLayout<Value>.size) : cost(value)
    let now = lifetime == .max ? memory.clockNow() : core.time.precise
    let (sum, isBeyondTime) = now.addingReportingOverflow(lifetime)
    let deadline = lifetime == .max || isBeyondTime ? .max : sum
    let hash = memory.hash(of: key)
    // Declared outside the lock, so that it is released outside it.
    var displaced = memory.makeDisplaced(for: hash)
    var isStored: Bool?
    let isDone = gates[StripeGate.index(hash)].ifIdle {
      // Closing empties the table under the same lock, after it has set the flag.
      if core.isClosed { return }
      isStored = memory.insert(
        value,
        for: key,
        hash: hash,
        storedAt: now,
        deadline: deadline,
        cost: cost,
        displaced: &displaced
      )
    }
    guard isDone, let isStored else { return false }
    finishWrite(of: key, isStored: isStored, hasEnd: deadline != .max)
    if failures.isRaised { forgetFailure(key, hash) }
    return true
  }

  @usableFromInline
  func cost(_ value: Value) -> Int { costOf?(value) ?? DefaultCost.of(value, encoded: nil) }

  /// What follows a write in memory, outside the locks.
  @inlinable
  func finishWrite(of key: Key, isStored: Bool, hasEnd: Bool) {
    if kinship.hasRelatives { supersedeSiblings(key) }
    if !isStored { reportRejected(key) } else if hasEnd { core.startSweeper() }
  }

  @usableFromInline
  func reportRejected(_ key: Key) {
    guard core.memoryPlan.storesAnything else { return }
    core.report(.rejected, store: "memory", key: strategy.derive(key))
  }
}
