import Synchronization

// Keys that a tier must not serve although it may still hold them: a removal failed, or a
// synchronous call queued the work for an asynchronous store. Stones and barriers are numbered in
// one sequence, so that the end of an operation lifts what stood when it began and nothing newer.
// Bounded: beyond the bound the tier serves nothing that was stored before the overflow, which
// loses entries, never an invalidation. `Tier` is the only caller.

/// The tombstones of one tier.
final class Tombstones: Sendable {
  private struct Barrier {
    var token: UInt64
    /// Nothing that was created up to this moment passes.
    var wall: Int64
  }

  private struct Selection {
    let invalidation: StoreInvalidation
    var barrier: Barrier
  }

  private struct State {
    var stones: [CacheKey: UInt64] = [:]
    var barriers: [Namespace?: Barrier] = [:]
    /// Few: beyond a bound they become barriers of their namespaces.
    var selections: [Selection] = []
    var lastToken: UInt64 = 0
    /// How often something was changed here, so that a read sees that one was lifted meanwhile.
    var changes: UInt64 = 0
    /// The newest stone that was given up for a barrier, for want of room.
    var overflow: UInt64 = 0

    mutating func nextToken() -> UInt64 {
      lastToken += 1
      return lastToken
    }

    mutating func raise(_ namespace: Namespace?, wall: Int64) -> UInt64 {
      let token = nextToken()
      let wall = max(wall, barriers[namespace]?.wall ?? .min)
      barriers[namespace] = Barrier(token: token, wall: wall)
      return token
    }
  }

  private let state = Lock(State())
  /// Whether there may be any: read without the lock on every tier read.
  private let isActive = Atomic<Bool>(false)
  private let limit: Int

  init(limit: Int = 10_000) { self.limit = limit }

  /// The newest number given out, to lift later what stands now.
  var newest: UInt64 { state.withLock { $0.lastToken } }

  /// Puts a stone on a key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - wall: the newest moment at which anything in the tier was created.
  ///   - isSuperseded: asked under the lock; whether the stone comes too late.
  /// - Returns: the token that lifts this stone and no later one; `nil` when it came too late.
  @discardableResult
  func put(
    _ key: CacheKey,
    wall: Int64,
    unless isSuperseded: () -> Bool = { false }
  ) -> UInt64? {
    change { state in
      if isSuperseded() { return nil }
      if state.stones.count >= limit && state.stones[key] == nil {
        state.overflow = state.lastToken
        state.stones = [:]
        _ = state.raise(nil, wall: wall)
      }
      let token = state.nextToken()
      state.stones[key] = token
      return token
    }
  }

  /// Lets nothing of a namespace through that was created up to a moment.
  ///
  /// - Returns: the token that lifts this barrier and no later one.
  @discardableResult
  func putBarrier(_ namespace: Namespace?, wall: Int64) -> UInt64 {
    change { $0.raise(namespace, wall: wall) }
  }

  /// Lets nothing through that an invalidation selects and that was created up to a moment.
  ///
  /// - Returns: the token that lifts this barrier and no later one.
  @discardableResult
  func putBarrier(_ invalidation: StoreInvalidation, wall: Int64) -> UInt64 {
    change { state in
      let token = state.nextToken()
      state.selections.removeAll { selection in
        guard Self.agree(selection.invalidation, invalidation) else { return false }
        return selection.barrier.wall <= wall
      }
      if state.selections.count >= Self.selectionsKept {
        for selection in state.selections {
          let namespace = selection.invalidation.namespace
          _ = state.raise(namespace, wall: max(wall, selection.barrier.wall))
        }
        state.selections = []
      }
      let barrier = Barrier(token: token, wall: wall)
      state.selections.append(Selection(invalidation: invalidation, barrier: barrier))
      return token
    }
  }

  /// Takes the barriers off what an invalidation selects, if they are not newer than a token.
  func lift(_ invalidation: StoreInvalidation, upTo token: UInt64) {
    guard isActive.load(ordering: .acquiring) else { return }
    change { state in
      state.selections.removeAll {
        $0.barrier.token <= token && Self.agree($0.invalidation, invalidation)
      }
    }
  }

  /// Whether two select the same, whatever they do to it.
  private static func agree(_ one: StoreInvalidation, _ other: StoreInvalidation) -> Bool {
    one.selection == other.selection && one.namespace == other.namespace
  }

  private static let selectionsKept = 64

  /// Takes the stone off a key, if it is not newer than a token.
  func lift(_ key: CacheKey, upTo token: UInt64) {
    guard isActive.load(ordering: .acquiring) else { return }
    change { state in
      if let stone = state.stones[key], stone <= token { state.stones[key] = nil }
    }
  }

  /// Takes the stone off a key that was written anew, unless the write has been superseded.
  func lift(_ key: CacheKey, unless isSuperseded: () -> Bool) {
    guard isActive.load(ordering: .acquiring) else { return }
    change { state in
      if !isSuperseded() { state.stones[key] = nil }
    }
  }

  /// Takes barrier and stones off a namespace that was emptied, if they are not newer than a token.
  func liftAll(_ namespace: Namespace?, upTo token: UInt64) {
    guard isActive.load(ordering: .acquiring) else { return }
    change { state in
      state.barriers = state.barriers.filter {
        $0.value.token > token || !Self.covers(namespace, $0.key)
      }
      state.stones = state.stones.filter {
        $0.value > token || !Self.covers(namespace, $0.key.namespace)
      }
      state.selections.removeAll {
        $0.barrier.token <= token && Self.covers(namespace, $0.invalidation.namespace)
      }
    }
  }

  /// Whether the work behind a stone is still to be done: no later call has replaced it.
  func holds(_ key: CacheKey, token: UInt64) -> Bool {
    state.withLock { state in
      guard let stone = state.stones[key] else { return token <= state.overflow }
      return stone == token
    }
  }

  /// Whether the key itself carries a stone.
  func covers(_ key: CacheKey) -> Bool {
    guard isActive.load(ordering: .acquiring) else { return false }
    return state.withLock { $0.stones[key] != nil }
  }

  /// Where the changes stand while there are any stones; a read that began with one number and ends
  /// with another may have met what has been removed since.
  var changes: UInt64? {
    guard isActive.load(ordering: .acquiring) else { return nil }
    return state.withLock { $0.changes }
  }

  /// Whether an entry created at a moment may be served.
  func admits(_ key: CacheKey, created: Int64) -> Bool {
    guard isActive.load(ordering: .acquiring) else { return true }
    return state.withLock { state in
      guard state.stones[key] == nil else { return false }
      return state.barriers.allSatisfy {
        created > $0.value.wall || !Self.covers($0.key, key.namespace)
      }
    }
  }

  /// Whether an entry may be served.
  func admits(_ key: CacheKey, _ entry: CacheEntry) -> Bool {
    guard isActive.load(ordering: .acquiring) else { return true }
    guard admits(key, created: entry.created) else { return false }
    return state.withLock { state in
      state.selections.allSatisfy {
        entry.created > $0.barrier.wall || !$0.invalidation.selects(key, entry)
      }
    }
  }

  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      state.changes += 1
      defer {
        let isEmpty =
          state.stones.isEmpty && state.barriers.isEmpty && state.selections.isEmpty
        isActive.store(!isEmpty, ordering: .sequentiallyConsistent)
      }
      return body(&state)
    }
  }

  /// Whether a namespace is another one or holds it: all hold none, and one its scopes.
  private static func covers(_ outer: Namespace?, _ inner: Namespace?) -> Bool {
    guard let outer else { return true }
    guard let inner else { return false }
    if outer == inner { return true }
    return outer.scope.isEmpty && outer.name == inner.name && outer.version == inner.version
  }
}
