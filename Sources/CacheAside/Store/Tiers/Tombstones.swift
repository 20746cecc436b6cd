import Synchronization

// Keys that a tier must not serve although it may still hold them: a removal failed, or a
// synchronous call queued the work for an asynchronous store. Bounded: beyond the bound the tier
// serves nothing that was stored before the overflow, which loses entries, never an invalidation.

/// The tombstones of one tier.
final class Tombstones: Sendable {
  private struct State {
    var tokens: [CacheKey: UInt64] = [:]
    var lastToken: UInt64 = 0
    var barrier = Int64.min
    var namespaceBarriers: [Namespace?: Int64] = [:]
  }

  private let state = Lock(State())
  /// Whether there may be any: read without the lock on every tier read.
  private let isActive = Atomic<Bool>(false)
  private let limit: Int

  init(limit: Int = 10_000) { self.limit = limit }

  /// Puts a stone on a key.
  ///
  /// - Returns: the token that lifts this stone and no later one.
  @discardableResult
  func put(_ key: CacheKey, wall: Int64) -> UInt64 {
    state.withLock { state in
      state.lastToken += 1
      if state.tokens.count >= limit && state.tokens[key] == nil {
        state.tokens = [:]
        state.barrier = max(state.barrier, wall)
      } else {
        state.tokens[key] = state.lastToken
      }
      isActive.store(true, ordering: .sequentiallyConsistent)
      return state.lastToken
    }
  }

  /// Lets nothing of a namespace through that was stored up to now.
  func putBarrier(_ namespace: Namespace?, wall: Int64) {
    state.withLock { state in
      if namespace == nil {
        state.barrier = max(state.barrier, wall)
      } else {
        state.namespaceBarriers[namespace] = wall
      }
      isActive.store(true, ordering: .sequentiallyConsistent)
    }
  }

  /// Takes the stone off a key; with a token only if it is still that one.
  func lift(_ key: CacheKey, token: UInt64? = nil) {
    guard isActive.load(ordering: .acquiring) else { return }
    state.withLock { state in
      guard token == nil || state.tokens[key] == token else { return }
      state.tokens[key] = nil
    }
  }

  /// Takes the barrier off a namespace, after it was emptied; one that is newer stays.
  func liftBarrier(_ namespace: Namespace?, wall: Int64 = .max) {
    guard isActive.load(ordering: .acquiring) else { return }
    state.withLock { state in
      let barrier = namespace == nil ? state.barrier : state.namespaceBarriers[namespace] ?? .min
      guard barrier <= wall else { return }
      if namespace == nil {
        state.barrier = .min
        state.namespaceBarriers = [:]
        state.tokens = [:]
      } else {
        state.namespaceBarriers[namespace] = nil
        state.tokens = state.tokens.filter { $0.key.namespace != namespace }
      }
    }
  }

  /// Whether the key still carries the stone of a token.
  func holds(_ key: CacheKey, token: UInt64) -> Bool {
    state.withLock { $0.tokens[key] == token }
  }

  /// Whether the key itself carries a stone.
  func covers(_ key: CacheKey) -> Bool {
    guard isActive.load(ordering: .acquiring) else { return false }
    return state.withLock { $0.tokens[key] != nil }
  }

  /// Whether an entry stored at a moment may be served.
  func admits(_ key: CacheKey, created: Int64) -> Bool {
    guard isActive.load(ordering: .acquiring) else { return true }
    return state.withLock { state in
      state.tokens[key] == nil && created > state.barrier
        && created > state.namespaceBarriers[key.namespace] ?? .min
    }
  }
}
