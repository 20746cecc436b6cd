import CacheAside
import InstructionCounter
import Synchronization

/// The forms of a hit, on 2,000 resident keys.
final class Hits: Sendable {
  private static let passes = 10
  private static let keyCount = 2_000
  /// Hits behind each figure.
  static let count = passes * keyCount

  private let keys: [Int]
  private let texts: [String]
  private let plain: Cache<Int, Int>
  private let expiring: Cache<Int, Int>
  private let idle: Cache<Int, Int>
  private let named: Cache<String, Int>
  private let caches: Caches
  private let memoized: Memoized<Int, Int>
  private let pair: MemoizedFunction<ArgumentPair<Int, String>, Int, Int, String>
  private let keyed: Keyed<CacheKey, Int>
  private let interpolated: MemoizedFunction<CacheKey, Int, Int>
  private let bound: Memoized<Int, Int>
  private let full: Cache<Int, Int>
  private let newest = Atomic<Int>(0)
  private let ring = Mutex(Ring(places: Hits.keyCount))
  private let cacheKeys: [CacheKey]
  private let feature: CacheFeature
  private let dictionary = Mutex<[Int: Int]>([:])
  private let namedDictionary = Mutex<[String: Int]>([:])

  init() async throws {
    let limit = Memory(.count(4 * Self.keyCount))
    keys = (0..<Self.keyCount).map { Int((UInt64($0) &* 0x9E37_79B9_7F4A_7C15) >> 8) }
    texts = keys.map { key in
      let digits = String(key.magnitude, radix: 36)
      return "key:" + String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }
    plain = try Cache(name: "plain") { limit }
    expiring = try Cache(name: "expiring", expiry: .hours(1)) { limit }
    idle = try Cache(name: "idle", expiry: .idle(.hours(8), max: .hours(24))) { limit }
    named = try Cache(name: "named") { limit }
    caches = try Caches { Feature("hits") { limit } }
    memoized = try caches["hits"].cached("key") { (key: Int) in key }
    full = try Cache(name: "full") { Memory(.count(Self.keyCount)) }
    pair = try caches["hits"].cached("pair") { (key: Int, text: String) in key }
    keyed = try caches["hits"].cached(key: { $0 }) { (key: CacheKey) in 1 }
    interpolated = try caches["hits"].cached(key: { "user/\($0)" }) { (key: Int) in key }
    bound = cached("bound") { (key: Int) in key }
    feature = try caches["hits"]
    cacheKeys = texts.map { CacheKey("user/\($0)") }
    for key in cacheKeys { _ = try await keyed(key) }
    for (key, text) in zip(keys, texts) {
      _ = try await pair(key, text)
      _ = try await interpolated(key)
      namedDictionary.withLock { $0["user/\(key)"] = key }
      plain[key] = key
      expiring[key] = key
      idle[key] = key
      named[text] = key
      dictionary.withLock { $0[key] = key }
      namedDictionary.withLock { $0[text] = key }
      _ = try await memoized(key)
    }
  }

  /// Counts each form, once it is warm.
  func run() async throws {
    try await count("mutex.int") { dictionaryHits() }
    try await count("mutex.string") { namedDictionaryHits() }
    try await count("hit.sync.int") { intHits() }
    try await count("hit.sync.string") { stringHits() }
    try await count("hit.sync.ttl") { expiringHits() }
    try await count("hit.sync.idle") { idleHits() }
    try await count("hit.async.method") { try await methodHits() }
    try await count("hit.async.cached") { try await cachedHits() }
    try await count("hit.memoized.1") { try await memoizedHits() }
    try await count("mutex.insert") { dictionaryInserts() }
    try await count("insert.evict") { inserts() }
    try await count("hit.memoized.2") { try await pairHits() }
    try await count("hit.memoized.prebuilt") { try await keyedHits() }
    try await count("hit.immediate.prebuilt") { try await immediateHits() }
    try await count("mutex.key") { interpolatedDictionaryHits() }
    try await count("hit.memoized.key") { try await interpolatedHits() }
    try await count("hit.immediate.key") { try await interpolatedImmediateHits() }
    try await count("hit.immediate.global") { try await globalHits() }
    try await Caches.withCurrent(caches) {
      try await count("hit.memoized.ambient") { try await memoizedHits() }
      for key in keys { _ = try await bound(key) }
      try await count("hit.memoized.bound") { try await boundHits() }
    }
    // Last: once a scope was bound, every hit asks whether one is.
    Caches.withScope(["tenant": "north"]) {}
    try await count("hit.memoized.scopes") { try await memoizedHits() }
  }

  private func count(_ name: String, _ body: () async throws -> Int) async throws {
    var total = try await body()
    instruction_count_start()
    for _ in 0..<Self.passes { total &+= try await body() }
    instruction_count_stop(name)
    if total == Int.min { print(total) }
  }

  @inline(never)
  private func dictionaryHits() -> Int {
    var sum = 0
    for key in keys { sum &+= dictionary.withLock { $0[key] } ?? 0 }
    return sum
  }

  @inline(never)
  private func namedDictionaryHits() -> Int {
    var sum = 0
    for text in texts { sum &+= namedDictionary.withLock { $0[text] } ?? 0 }
    return sum
  }

  @inline(never)
  private func intHits() -> Int {
    var sum = 0
    for key in keys { sum &+= plain[key] ?? 0 }
    return sum
  }

  @inline(never)
  private func stringHits() -> Int {
    var sum = 0
    for text in texts { sum &+= named[text] ?? 0 }
    return sum
  }

  @inline(never)
  private func expiringHits() -> Int {
    var sum = 0
    for key in keys { sum &+= expiring[key] ?? 0 }
    return sum
  }

  @inline(never)
  private func idleHits() -> Int {
    var sum = 0
    for key in keys { sum &+= idle[key] ?? 0 }
    return sum
  }

  @inline(never)
  private func methodHits() async throws -> Int {
    var sum = 0
    for key in keys { sum &+= try await plain.value(for: key) ?? 0 }
    return sum
  }

  @inline(never)
  private func cachedHits() async throws -> Int {
    var sum = 0
    for key in keys { sum &+= try await plain.cached(key) { key } }
    return sum
  }

  @inline(never)
  private func memoizedHits() async throws -> Int {
    var sum = 0
    for key in keys { sum &+= try await memoized(key) }
    return sum
  }

  @inline(never)
  private func pairHits() async throws -> Int {
    var sum = 0
    for index in keys.indices { sum &+= try await pair(keys[index], texts[index]) }
    return sum
  }

  @inline(never)
  private func keyedHits() async throws -> Int {
    var sum = 0
    for key in cacheKeys { sum &+= try await keyed(key) }
    return sum
  }

  @inline(never)
  private func immediateHits() async throws -> Int {
    var sum = 0
    for key in cacheKeys { sum &+= try await feature.cached(key: key) { 1 } }
    return sum
  }

  @inline(never)
  private func interpolatedDictionaryHits() -> Int {
    var sum = 0
    for key in keys { sum &+= namedDictionary.withLock { $0["user/\(key)"] } ?? 0 }
    return sum
  }

  @inline(never)
  private func interpolatedHits() async throws -> Int {
    var sum = 0
    for key in keys { sum &+= try await interpolated(key) }
    return sum
  }

  @inline(never)
  private func interpolatedImmediateHits() async throws -> Int {
    var sum = 0
    for key in keys { sum &+= try await feature.cached(key: "user/\(key)") { key } }
    return sum
  }

  @inline(never)
  private func globalHits() async throws -> Int {
    var sum = 0
    for key in keys { sum &+= try await cached(key: "user/\(key)") { key } }
    return sum
  }

  @inline(never)
  private func boundHits() async throws -> Int {
    var sum = 0
    for key in keys { sum &+= try await bound(key) }
    return sum
  }

  /// New keys into a dictionary and a ring of keys, the oldest leaving.
  @inline(never)
  private func dictionaryInserts() -> Int {
    ring.withLock { ring in
      for _ in keys {
        let key = ring.next
        let place = key % Self.keyCount
        ring.next += 1
        ring.values[ring.keys[place]] = nil
        ring.keys[place] = key
        ring.values[key] = key
      }
      return ring.values.count
    }
  }

  /// New keys into a cache that is full.
  @inline(never)
  private func inserts() -> Int {
    let first = newest.add(keys.count, ordering: .relaxed).oldValue
    for key in first..<first + keys.count { full[key] = key }
    return full.count
  }
}
