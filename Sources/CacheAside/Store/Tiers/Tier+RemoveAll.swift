// Emptying a tier. The loads and writers of the feature were marked before; those that passed their
// check already are inside a gate, so that passing every gate once waits for the last older write.

extension Tier {
  /// Removes every record of a namespace, after every older write.
  ///
  /// - Throws: when some may still be there; a barrier keeps them from being served.
  func removeAll(in namespace: Namespace?) async throws {
    do {
      let operation = try operations.begin(.clear)
      defer { operations.end(operation) }
      if let blocking {
        try await blocking.onStoreThread { [self] in try removeAll(blocking, in: namespace) }
      } else {
        if !queue.isIdle { await queue.drain() }
        try await removeAllBehindGates(in: namespace)
      }
    } catch {
      tombstones.putBarrier(namespace, wall: newestWall)
      throw removalFailed(nil, error)
    }
  }

  /// The same on the calling thread; a tier that suspends queues it behind a barrier.
  func removeAllBlocking(in namespace: Namespace?) throws {
    if let blocking {
      do {
        let operation = try operations.begin(.clear)
        defer { operations.end(operation) }
        try removeAll(blocking, in: namespace)
      } catch {
        tombstones.putBarrier(namespace, wall: newestWall)
        throw removalFailed(nil, error)
      }
      return
    }
    let token = tombstones.putBarrier(namespace, wall: newestWall)
    queueWork(.clear) { [self] in
      do { try await removeAllBehindGates(in: namespace, upTo: token) } catch {
        report(.removalFailed, nil, error)
      }
    }
  }

  private func removeAll(_ blocking: any BlockingCacheStore, in namespace: Namespace?) throws {
    gate.passAll()
    let token = tombstones.newest
    try blocking.removeAllBlocking(in: namespace)
    tombstones.liftAll(namespace, upTo: token)
  }

  /// Lifts what stood up to a token; `nil` takes all that stands when the store is emptied.
  private func removeAllBehindGates(in namespace: Namespace?, upTo token: UInt64? = nil)
    async throws
  {
    await asyncGate.passAll()
    let token = token ?? tombstones.newest
    try await store.removeAll(in: namespace)
    tombstones.liftAll(namespace, upTo: token)
  }
}

extension CacheKey {
  /// Which stripe of a gate the key passes.
  var stripe: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash ^ (hash >> 32)
  }
}
