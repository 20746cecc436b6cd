// What a tier must not serve of single keys: a removal failed, a change is queued, or a write that was
// given up may still arrive. A pure value; `Tombstones` locks.

/// Hides the records of one key.
struct Stone: Sendable {
  /// Its number, in one sequence with the barriers.
  let token: UInt64
  /// What was created later, by another process, is not what failed work is for.
  let wall: Int64
  /// Whether work is queued; otherwise it has failed.
  let isQueued: Bool

  /// Whether a record of the key must not be served.
  func hides(_ entry: CacheEntry) -> Bool { isQueued || entry.created <= wall }
}

/// The stones of one tier.
struct Stones {
  private(set) var all: [CacheKey: Stone] = [:]
  /// How many writes of a key were given up and have not ended.
  private var held: [CacheKey: Int] = [:]
  /// How many removals have failed and may be repeated now.
  private(set) var failedCount = 0

  var isEmpty: Bool { all.isEmpty && held.isEmpty }

  /// The stone of a key.
  subscript(key: CacheKey) -> Stone? {
    get { all[key] }
    set { counting(key) { $0.all[key] = newValue } }
  }

  /// Whether a key has the stone that a change needs.
  func has(_ need: Tombstones.Need, _ key: CacheKey) -> Bool {
    switch need {
    case .none: true
    case .failed: all[key]?.isQueued == false
    case .token(let token): all[key]?.token == token
    }
  }

  /// Whether a write of the key that was given up has not ended.
  func isHeld(_ key: CacheKey) -> Bool { held[key] != nil }

  /// Adds to how many writes of a key were given up and have not ended.
  mutating func addHeld(_ key: CacheKey, _ change: Int) {
    let count = held[key, default: 0] + change
    counting(key) { $0.held[key] = count > 0 ? count : nil }
  }

  /// Whether the key's removal has failed and may be repeated now.
  func isFailed(_ key: CacheKey) -> Bool { all[key]?.isQueued == false && held[key] == nil }

  private mutating func counting(_ key: CacheKey, _ change: (inout Stones) -> Void) {
    let wasFailed = isFailed(key)
    change(&self)
    failedCount += (isFailed(key) ? 1 : 0) - (wasFailed ? 1 : 0)
  }
}
