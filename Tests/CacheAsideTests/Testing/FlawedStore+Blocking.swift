import Dispatch
import Synchronization

@testable import CacheAside

extension FlawedStore {
  func entryBlocking(for key: CacheKey) throws -> CacheEntry? {
    if flaw == .reportsDamage {
      place.context.withLock { $0 }?.report(.recordDamaged, key, nil)
    }
    let identity = identity(key)
    let record = place.records.withLock { records in
      records[identity] ?? (flaw == .answersAbsentKeys ? records.values.first : nil)
    }
    if flaw == .hidesExpired, let record, record.entry.freshUntil <= now { return nil }
    return record?.entry
  }

  func setBlocking(_ entry: CacheEntry, for key: CacheKey) throws {
    guard flaw != .keepsTwoSets else {
      return place.behind.withLock { $0[identity(key)] = Record(key: key, entry: entry) }
    }
    try write(entry, for: key)
  }

  func write(_ entry: CacheEntry, for key: CacheKey) throws {
    let identity = identity(key)
    if flaw == .dropsLongKeys && key.text.utf8.count > 255 { return }
    if flaw == .buriesForGood && place.buried.withLock({ $0.contains(identity) }) { return }
    if place.forbidden.withLock({ $0?.selects(key, entry) }) == true { return }
    place.writes.withLock { $0 += 1 }
    place.behind.withLock { $0[identity] = Record(key: key, entry: entry) }
    place.records.withLock { records in
      let kept = distorted(entry, over: records[identity]?.entry)
      records[identity] = Record(key: key, entry: kept)
      if flaw == .evicts, records.count > 10, let victim = records.keys.first {
        records[victim] = nil
      }
    }
  }

  private func distorted(_ entry: CacheEntry, over old: CacheEntry?) -> CacheEntry {
    var entry = entry
    switch flaw {
    case .clearsHighBits: entry.payload = entry.payload?.map { $0 & 0x7F }
    case .emptyBecomesNil: if entry.payload == [] { entry.payload = nil }
    case .roundsTimes: entry.created = entry.created / 1_000 * 1_000
    case .forgetsSchema: entry.schema = 0
    case .forgetsMetadata: entry.metadata = CacheMetadata()
    case .cutsLargeValues: entry.payload = entry.payload.map { Array($0.prefix(65_536)) }
    case .mergesMetadata:
      for (field, bytes) in old?.metadata.fields ?? [] { entry.metadata[field] = bytes }
    case .overwritesInPlace:
      let rest = old?.payload?.dropFirst(entry.payload?.count ?? 0)
      entry.payload = entry.payload.map { $0 + (rest ?? []) }
    default: break
    }
    return entry
  }

  func removeBlocking(_ key: CacheKey) throws {
    let identity = identity(key)
    let old = place.records.withLock { records in
      if flaw == .removesByPrefix {
        records = records.filter { !$0.value.key.text.hasPrefix(key.text) }
      }
      return records.removeValue(forKey: identity)
    }
    if flaw == .throwsOnAbsent && old == nil { throw CacheError(.storeFailed, "not there") }
    place.buried.withLock { _ = $0.insert(identity) }
  }

  func removeAllBlocking(in namespace: Namespace?) throws {
    place.records.withLock { records in
      guard let namespace else { return records = flaw == .nilClearsNothing ? records : [:] }
      let name = namespace.description
      records = records.filter { _, record in
        let space = record.key.namespace?.description ?? ""
        if flaw == .clearsByPrefix { return !space.hasPrefix(name) }
        if flaw == .emptyClearsAll && namespace.name.isEmpty { return false }
        if flaw == .leavesScopes { return space != name }
        return !namespace.covers(record.key.namespace)
      }
    }
  }

  func removeBlocking(_ key: CacheKey, ifUnchanged entry: CacheEntry) throws -> Bool {
    if flaw == .neverComparesEqual { return false }
    let identity = identity(key)
    return place.records.withLock { records in
      let isSame = records[identity]?.entry == entry || flaw == .neverCompares
      guard isSame, records.removeValue(forKey: identity) != nil else {
        return flaw == .alwaysSaysRemoved
      }
      return true
    }
  }

  func removeExpiredBlocking(includingKept: Bool) throws -> Int {
    if flaw == .removesNothing { return 0 }
    let now = now
    return place.records.withLock { records in
      let before = records.count
      records = records.filter { _, record in
        let takesKept = flaw == .removesStale || (includingKept && flaw != .leavesKept)
        return now < (takesKept ? record.entry.freshUntil : record.entry.keptUntil)
      }
      return before - records.count
    }
  }

  func scanBlocking(_ namespace: Namespace?, _ visit: (CacheKey, CacheEntry) -> Bool) throws {
    for record in place.records.withLock({ Array($0.values) }) {
      if let namespace, !namespace.covers(record.key.namespace), flaw != .scansEverything {
        continue
      }
      if !visit(record.key, record.entry) && flaw != .scanGoesOn { return }
    }
  }

  func onStoreThread<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        let result = Swift.Result { try work() }
        continuation.resume(
          with: flaw == .changesErrors
            ? result.mapError { CacheError(.storeFailed, "on a thread", cause: $0) } : result
        )
      }
    }
  }
}
