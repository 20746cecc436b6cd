import Synchronization

// What a tier must not serve although it may still hold it: an invalidation failed, or a synchronous
// call queued the work for an asynchronous store. Stones are for keys, barriers for selections of
// records; both are numbered in one sequence, so that the end of an operation lifts what stood when it
// began and nothing newer.
//
// Queued work keeps its stone or barrier exactly as long as it is queued. Failed work is bounded:
// beyond the bound a barrier on the whole feature takes its place, until what was stored before has
// been removed. That loses entries, never an invalidation, and not for ever: the tier repeats what
// failed (`Tier+Repeating`). A key is *held* while a write of it that was given up may still arrive;
// its stone cannot be lifted before. `Tier` is the only caller.

/// The tombstones of one tier.
final class Tombstones: Sendable {
  /// What becomes of a record that was read.
  enum Verdict {
    case take
    /// It must not be served.
    case hide
    /// What hid it was lifted during the read: another read tells.
    case readAgain
  }

  /// Which stone of its key a change needs to be still wanted.
  enum Need: Sendable {
    case none
    /// One of work that has failed.
    case failed
    case token(UInt64)

    var isToken: Bool { if case .token = self { true } else { false } }
  }

  /// What has failed and has to be repeated.
  struct Failed: Sendable {
    var barriers: [Barrier]
    var keys: [CacheKey]
    var isEmpty: Bool { barriers.isEmpty && keys.isEmpty }
  }

  private struct State {
    var stones = Stones()
    var barriers = Barriers()
    var lastToken: UInt64 = 0
    /// What was lifted lately, each with its number.
    var lifted: [(number: UInt64, barrier: Barrier)] = []
    /// Up to which number what was lifted is no longer known one by one.
    var forgotten: UInt64 = 0

    mutating func nextToken() -> UInt64 {
      lastToken += 1
      return lastToken
    }

    func hides(_ key: CacheKey, _ entry: CacheEntry) -> Bool {
      stones[key]?.hides(entry) == true || barriers.hide(key, entry)
    }
  }

  private let state = Lock(State())
  /// Whether there may be any: read without the lock on every tier read.
  private let isActive = Atomic<Bool>(false)
  /// Whether something has failed and was not repeated yet.
  private let hasFailedWork = Atomic<Bool>(false)
  /// How many barriers were lifted.
  private let liftCount = Atomic<UInt64>(0)
  private let stoneLimit: Int
  private let barrierLimit: Int

  init(limit: Int = 10_000, barrierLimit: Int = 1_024) {
    stoneLimit = limit
    self.barrierLimit = barrierLimit
  }

  /// The newest number given out, to lift later what stands now.
  var newest: UInt64 { state.withLock { $0.lastToken } }

  // MARK: Keys

  /// Puts a stone on a key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - wall: the newest moment at which anything in the tier was created.
  ///   - isQueued: whether the work is queued; otherwise it has failed.
  ///   - need: which stone the key must have already.
  ///   - queued: up to which token stones of other queued work give way, which then does nothing.
  ///   - isSuperseded: asked under the lock; whether the stone comes too late.
  /// - Returns: the token that lifts this stone and no later one; `nil` when it came too late.
  @discardableResult
  func put(
    _ key: CacheKey,
    wall: Int64,
    isQueued: Bool = false,
    _ need: Need = .none,
    replacing queued: UInt64 = .max,
    unless isSuperseded: () -> Bool = { false }
  ) -> UInt64? {
    change { state, _ in
      if isSuperseded() || !state.stones.has(need, key) { return nil }
      if let stone = state.stones[key], stone.isQueued, stone.token > queued, !need.isToken {
        return nil
      }
      let token = state.nextToken()
      // Work that is repeated in vain is still for what was there at first.
      var wall = wall
      if case .failed = need, let older = state.stones[key] { wall = older.wall }
      state.stones[key] = Stone(token: token, wall: wall, isQueued: isQueued)
      if state.stones.failedCount > stoneLimit { collapseStones(&state) }
      return token
    }
  }

  /// Puts a stone on a key that stays until a write has ended that was given up; one of queued work is
  /// enough, since that work cannot be done before.
  func hold(_ key: CacheKey, wall: Int64) {
    change { state, _ in
      state.stones.addHeld(key, 1)
      if state.stones[key]?.isQueued == true { return }
      state.stones[key] = Stone(token: state.nextToken(), wall: wall, isQueued: false)
    }
  }

  /// Notes that such a write has ended; its record has still to be removed.
  func release(_ key: CacheKey) {
    change { state, _ in state.stones.addHeld(key, -1) }
  }

  /// Whether a write of the key that was given up has not ended.
  func isHeld(_ key: CacheKey) -> Bool {
    guard isActive.load(ordering: .acquiring) else { return false }
    return state.withLock { $0.stones.isHeld(key) }
  }

  /// Takes the stone off a key whose record was written anew or removed, if it is not newer than a
  /// token and the change has not been superseded.
  ///
  /// The stone of queued work stays for everything but that work, which is newer than what ends while
  /// it is queued.
  func lift(
    _ key: CacheKey,
    upTo token: UInt64,
    _ need: Need = .none,
    unless isSuperseded: () -> Bool = { false }
  ) {
    guard isActive.load(ordering: .acquiring) else { return }
    change { state, _ in
      guard let stone = state.stones[key], stone.token <= token, !state.stones.isHeld(key),
        state.stones.has(need, key), !stone.isQueued || need.isToken, !isSuperseded()
      else { return }
      state.stones[key] = nil
    }
  }

  /// Whether the key has the stone that a change needs; another one is of a later call.
  func has(_ need: Need, _ key: CacheKey) -> Bool {
    if case .none = need { return true }
    return state.withLock { $0.stones.has(need, key) }
  }

  /// Up to which moment the records of a key were created that its stone is for; `nil` without one.
  func wall(of key: CacheKey) -> Int64? {
    guard isActive.load(ordering: .acquiring) else { return nil }
    return state.withLock { $0.stones[key]?.wall }
  }

  /// Whether the key itself carries a stone.
  func covers(_ key: CacheKey) -> Bool {
    guard isActive.load(ordering: .acquiring) else { return false }
    return state.withLock { $0.stones[key] != nil }
  }

  // MARK: Selections

  /// Hides what a sweep selects and was created up to a moment.
  ///
  /// - Parameters:
  ///   - sweep: what is to be done.
  ///   - wall: the newest moment at which anything in the tier was created.
  ///   - isQueued: whether it is queued; otherwise it has failed.
  /// - Returns: the token that lifts this barrier and no later one.
  @discardableResult
  func putBarrier(_ sweep: TierSweep, wall: Int64, isQueued: Bool = false) -> UInt64 {
    change { state, released in
      let token = state.nextToken()
      let barrier = Barrier(
        token: token,
        wall: wall,
        namespace: sweep.namespace,
        selection: sweep.selection,
        sweep: sweep,
        isQueued: isQueued
      )
      if let older = state.barriers.add(barrier) { released.append(older) }
      if state.barriers.failedCount > barrierLimit {
        collapseBarriers(&state, &released)
      }
      return token
    }
  }

  /// Notes that the work behind a queued barrier has failed.
  func fail(_ token: UInt64) {
    change { state, released in
      guard var barrier = state.barriers.remove(token) else { return }
      released.append(barrier)
      barrier.isQueued = false
      _ = state.barriers.add(barrier)
      if state.barriers.failedCount > barrierLimit { collapseBarriers(&state, &released) }
    }
  }

  /// Takes one barrier off.
  func lift(_ token: UInt64) {
    change { state, released in lift([token], &state, &released) }
  }

  /// Takes off what a sweep that has succeeded makes needless, if it is not newer than a token.
  func lift(_ sweep: TierSweep, upTo token: UInt64) {
    guard isActive.load(ordering: .acquiring) else { return }
    switch sweep {
    case .clear(let namespace): liftAll(namespace, upTo: token)
    case .change: break
    case .invalidate(let invalidation):
      if invalidation.isRemovalOfAll { return liftAll(invalidation.namespace, upTo: token) }
      change { state, released in
        var identities = [Barrier.Identity(invalidation)]
        if invalidation.verb == .remove {
          // What is gone is not fresh either.
          let expired = StoreInvalidation(
            .expire(at: 0, staleIfError: 0, keepExpired: 0),
            invalidation.selection,
            in: invalidation.namespace
          )
          identities.append(Barrier.Identity(expired))
        }
        let tokens = identities.compactMap { state.barriers.token(of: $0) }
        lift(tokens.filter { $0 <= token }, &state, &released)
      }
    }
  }

  /// Takes barriers and stones off a namespace that was emptied, if they are not newer than a token;
  /// those of queued work stay.
  private func liftAll(_ namespace: Namespace?, upTo token: UInt64) {
    change { state, released in
      let stones = state.stones.all.filter {
        !$0.value.isQueued && $0.value.token <= token && !state.stones.isHeld($0.key)
          && namespace?.covers($0.key.namespace) != false
      }
      for key in stones.keys { state.stones[key] = nil }
      let tokens = state.barriers.all.values.filter {
        $0.token <= token && namespace?.covers($0.namespace) != false
      }.map(\.token)
      lift(tokens, &state, &released)
    }
  }

  private func lift(_ tokens: [UInt64], _ state: inout State, _ released: inout [Barrier]) {
    for token in tokens {
      guard var barrier = state.barriers.remove(token) else { continue }
      released.append(barrier)
      // No closure of a user is kept.
      barrier.sweep = nil
      let number = liftCount.add(1, ordering: .acquiringAndReleasing).newValue
      if state.lifted.count >= Self.liftedKept {
        state.lifted.removeAll()
        state.forgotten = number - 1
      }
      state.lifted.append((number, barrier))
    }
  }

  private static let liftedKept = 64

  // MARK: Bounds

  private func collapseStones(_ state: inout State) {
    var walls: [Namespace?: Int64] = [:]
    for (key, stone) in state.stones.all where state.stones.isFailed(key) {
      let namespace = key.namespace?.scoped(.none)
      walls[namespace] = max(walls[namespace] ?? .min, stone.wall)
      state.stones[key] = nil
    }
    for (namespace, wall) in walls { collapse(namespace, wall: wall, &state) }
  }

  private func collapseBarriers(_ state: inout State, _ released: inout [Barrier]) {
    var walls: [Namespace?: Int64] = [:]
    for barrier in state.barriers.all.values where !barrier.isQueued {
      let namespace = barrier.namespace?.scoped(.none)
      walls[namespace] = max(walls[namespace] ?? .min, barrier.wall)
      if let older = state.barriers.remove(barrier.token) { released.append(older) }
    }
    for (namespace, wall) in walls { collapse(namespace, wall: wall, &state) }
  }

  private func collapse(_ namespace: Namespace?, wall: Int64, _ state: inout State) {
    let barrier = Barrier(
      token: state.nextToken(),
      wall: wall,
      namespace: namespace,
      selection: .everything,
      sweep: .clear(namespace),
      isQueued: false,
      isCollapsed: true
    )
    _ = state.barriers.add(barrier)
  }

  // MARK: Failed work

  /// Whether something has failed and was not repeated yet.
  var hasFailed: Bool { hasFailedWork.load(ordering: .acquiring) }

  /// What has failed, at most so many keys of it; what a hung write holds is left out.
  func failed(keys limit: Int) -> Failed {
    state.withLock { state in
      var keys: [CacheKey] = []
      for key in state.stones.all.keys {
        if keys.count == limit { break }
        if state.stones.isFailed(key) { keys.append(key) }
      }
      return Failed(barriers: state.barriers.all.values.filter { !$0.isQueued }, keys: keys)
    }
  }

  // MARK: Reading

  /// Where the lifting of barriers stands, to be taken before a record is read.
  var mark: UInt64 { liftCount.load(ordering: .acquiring) }

  /// What becomes of a record that was read.
  ///
  /// - Parameters:
  ///   - key: its key.
  ///   - entry: the record.
  ///   - mark: ``mark`` from before the read.
  ///   - now: the wall clock; what is from the future may be older than anything.
  /// - Returns: whether it may be served.
  func verdict(
    _ key: CacheKey,
    _ entry: CacheEntry,
    since mark: UInt64,
    _ now: @autoclosure () -> Int64
  ) -> Verdict {
    guard isActive.load(ordering: .acquiring) || self.mark != mark else { return .take }
    let entry = Self.dated(entry, now())
    return state.withLock { state in
      if state.hides(key, entry) { return .hide }
      if mark < state.forgotten { return .readAgain }
      for (number, barrier) in state.lifted.reversed() {
        if number <= mark { break }
        if barrier.hides(key, entry) { return .readAgain }
      }
      return .take
    }
  }

  /// Whether an entry may be served as far as is known now.
  func admits(_ key: CacheKey, _ entry: CacheEntry, _ now: @autoclosure () -> Int64) -> Bool {
    guard isActive.load(ordering: .acquiring) else { return true }
    let entry = Self.dated(entry, now())
    return state.withLock { !$0.hides(key, entry) }
  }

  private static func dated(_ entry: CacheEntry, _ now: Int64) -> CacheEntry {
    guard Lifetime.isFromTheFuture(created: entry.created, wall: now) else { return entry }
    var entry = entry
    entry.created = .min
    return entry
  }

  /// Changes the state; a closure of a user that a barrier holds is released outside the lock.
  private func change<Result: Sendable>(
    _ body: (inout State, inout [Barrier]) -> Result
  ) -> Result {
    var released: [Barrier] = []
    return state.withLock { state in
      defer {
        let isEmpty = state.stones.isEmpty && state.barriers.isEmpty
        isActive.store(!isEmpty, ordering: .sequentiallyConsistent)
        hasFailedWork.store(
          state.stones.failedCount > 0 || state.barriers.failedCount > 0,
          ordering: .releasing
        )
      }
      return body(&state, &released)
    }
  }
}
