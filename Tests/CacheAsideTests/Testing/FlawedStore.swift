import Synchronization

@testable import CacheAside

/// A correct blocking store in memory, unless it is given a flaw.
struct FlawedStore: BlockingCacheStore {
  typealias Identity = [String]

  struct Record {
    let key: CacheKey
    var entry: CacheEntry
  }

  /// What several stores on one place share, as files would be.
  final class Place: Sendable {
    let records = Lock<[Identity: Record]>([:])
    let behind = Lock<[Identity: Record]>([:])
    let buried = Lock<Set<Identity>>([])
    let writes = Lock<Int>(0)
    let forbidden = Lock<StoreInvalidation?>(nil)
    let context = Lock<StoreContext?>(nil)
  }

  let place: Place
  let flaw: Flaw?

  init(_ flaw: Flaw? = nil) {
    place = Place()
    self.flaw = flaw
  }

  /// Another store on the same place.
  init(reopening store: FlawedStore) {
    flaw = store.flaw
    place = store.place
    if flaw == .clearsOnOpen || flaw == .forgetsOnReopen { place.records.withLock { $0 = [:] } }
    guard flaw == .revivesOnReopen else { return }
    let behind = place.behind.withLock { $0 }
    place.records.withLock { $0.merge(behind, uniquingKeysWith: { one, _ in one }) }
  }

  var name: String { "flawed" }
  var capabilities: StoreCapabilities { [.scan, .persistent, .compareAndDelete] }

  func attach(_ context: StoreContext) { place.context.withLock { $0 = context } }

  var now: Int64 { place.context.withLock { $0?.time.wall ?? 0 } }

  func identity(_ key: CacheKey) -> Identity {
    let space = key.namespace?.description ?? ""
    let text = key.text
    return switch flaw {
    case .ignoresNamespaces: [text]
    case .joinsNamespaceAndText: [(key.namespace?.name ?? "") + ":" + text]
    case .comparesFirstCharacters: [space, String(text.unicodeScalars.prefix(4_000))]
    case .comparesLastCharacters: [space, String(text.suffix(5))]
    case .readsASCIIOnly: [space, String(text.filter(\.isASCII))]
    case .endsAtNUL: [space, String(text.unicodeScalars.prefix { $0.value != 0 })]
    case .tidiesPaths:
      [space, text.split(separator: "/").filter { $0 != "." }.joined(separator: "/")]
    case .foldsCase: [space, text.lowercased()]
    default: [space, text]
    }
  }

  func entry(for key: CacheKey) async throws -> CacheEntry? { try entryBlocking(for: key) }

  func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    try write(entry, for: key)
  }

  func set(_ entries: [(key: CacheKey, entry: CacheEntry)]) async throws {
    for (key, entry) in flaw == .forgetsLastOfBulk ? entries.dropLast() : entries[...] {
      try write(entry, for: key)
    }
  }

  func remove(_ key: CacheKey) async throws { try removeBlocking(key) }

  func removeAll(in namespace: Namespace?) async throws { try removeAllBlocking(in: namespace) }

  func remove(_ key: CacheKey, ifUnchanged entry: CacheEntry) async throws -> Bool {
    try removeBlocking(key, ifUnchanged: entry)
  }

  func removeExpired(includingKept: Bool) async throws -> Int {
    try removeExpiredBlocking(includingKept: includingKept)
  }

  func scan(_ namespace: Namespace?, _ visit: (CacheKey, CacheEntry) -> Bool) async throws {
    try scanBlocking(namespace, visit)
  }

  func usage() async throws -> StoreUsage {
    let entries = place.records.withLock { Array($0.values) }
    let count = flaw == .countsWrites ? place.writes.withLock { $0 } : entries.count
    return StoreUsage(
      entries: count,
      bytes: entries.reduce(0) { $0 + ($1.entry.payload?.count ?? 0) }
    )
  }

  func flush() async throws {
    if flaw == .flushForgets { place.records.withLock { $0 = [:] } }
  }
}
