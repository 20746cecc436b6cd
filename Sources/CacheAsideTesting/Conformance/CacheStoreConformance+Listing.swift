// Checks: listing, counting and expiry.
import CacheAside

extension CacheStoreConformance.Trial {
  private static var elsewhere: Namespace { Namespace("conformance2") }

  func scan() async throws {
    guard store.capabilities.contains(.scan) else { return }
    try await expectScan(of: nil, [:])
    var here: [CacheKey: CacheEntry] = [:]
    var there: [CacheKey: CacheEntry] = [:]
    for (index, text) in ["", "a/b", "..", "a\u{0}b", "日本", "e\u{301}", "Key", "key"].enumerated() {
      here[key(text)] = entry("value \(index)", freshFor: Int64(index))
      there[key(text, in: Self.elsewhere)] = entry(nil as [UInt8]?)
    }
    here[key(String(repeating: "k", count: 5_000))] = entry("long")
    for (key, entry) in here.merging(there, uniquingKeysWith: { $1 }) {
      try await store.set(entry, for: key)
    }
    try await store.set(entry("removed"), for: key("removed"))
    try await store.remove(key("removed"))
    try await store.set(entry("older"), for: key("written twice"))
    here[key("written twice")] = entry("newer")
    try await store.set(entry("newer"), for: key("written twice"))

    try await expectScan(of: Self.home, here)
    try await expectScan(of: Self.elsewhere, there)
    try await expectScan(of: Namespace("conform"), [:])
    try await expectScan(of: nil, here.merging(there, uniquingKeysWith: { $1 }))
    try await store.removeAll(in: Self.home)
    try await expectScan(of: nil, there)
  }

  func scanStops() async throws {
    guard store.capabilities.contains(.scan) else { return }
    for index in 0..<20 { try await store.set(entry("\(index)"), for: key("\(index)")) }
    for limit in [1, 7] {
      var visits = 0
      try await store.scan(Self.home) { _, _ in
        visits += 1
        return visits < limit
      }
      expect(visits == limit, "visited \(visits) entries after it was told to stop at \(limit)")
    }
  }

  func usage() async throws {
    try await expectUsage(0)
    for index in 0..<10 {
      try await store.set(entry([UInt8](repeating: 1, count: 2_000)), for: key("\(index)"))
    }
    try await expectUsage(10)
    let full = try await store.usage().bytes
    try await store.set(entry([UInt8](repeating: 2, count: 3_000)), for: key("3"))
    try await expectUsage(10)
    try await store.remove(key("4"))
    try await store.remove(key("4"))
    try await expectUsage(9)
    try await store.removeAll(in: Self.home)
    try await expectUsage(0)
    if let full, let rest = try await store.usage().bytes {
      expect(full > 0, "says that ten entries take \(full) bytes")
      expect(rest < full, "says that no entries take \(rest) bytes, ten took \(full)")
    }
  }

  func removeExpired() async throws {
    let short = entry("short", freshFor: 5, keptFor: 10)
    let survivors = [
      key("long"): entry("long", freshFor: 5, keptFor: 20),
      key("never"): entry("never"),
      key("stale"): entry("stale", freshFor: 1),
      key("elsewhere", in: Self.elsewhere): entry("elsewhere", keptFor: 3_600),
    ]
    try await store.set(short, for: key("short"))
    for (key, entry) in survivors { try await store.set(entry, for: key) }

    try await clock.advance(by: .microseconds(9_999_999))
    let early = try await store.removeExpired()
    expect(early == 0, "removed \(early) entries before any was due")
    if !kit.expiresByItself { try await expectEntry(short, for: key("short"), "1 µs too early") }
    for (key, entry) in survivors { try await expectEntry(entry, for: key, "1 µs too early") }

    try await clock.advance(by: .seconds(1))
    let late = try await store.removeExpired()
    expect((0...1).contains(late), "removed \(late) entries when one was due")
    if !kit.expiresByItself { try await expectEntry(nil, for: key("short"), "when due") }
    for (key, entry) in survivors { try await expectEntry(entry, for: key, "not due yet") }
  }

  func removeExpiredIncludingKept() async throws {
    try await store.set(entry("stale", freshFor: 5, keptFor: 3_600), for: key("stale"))
    let fresh = entry("fresh", freshFor: 3_600, keptFor: 7_200)
    try await store.set(fresh, for: key("fresh"))
    let lasting = entry("never")
    try await store.set(lasting, for: key("never"))

    try await clock.advance(by: .seconds(6))
    let count = try await store.removeExpired(includingKept: true)
    expect((0...1).contains(count), "removed \(count) entries when one had expired")
    if !kit.expiresByItself { try await expectEntry(nil, for: key("stale"), "after its removal") }
    try await expectEntry(fresh, for: key("fresh"), "which is fresh")
    try await expectEntry(lasting, for: key("never"), "which never expires")
  }

  private func expectUsage(_ count: Int) async throws {
    guard let entries = try await store.usage().entries else { return }
    expect(entries == count, "counts \(entries) entries, there are \(count)")
  }

  private func expectScan(
    of namespace: Namespace?,
    _ expected: [CacheKey: CacheEntry]
  ) async throws {
    var found: [CacheKey: CacheEntry] = [:]
    var repeated: [CacheKey] = []
    try await store.scan(namespace) { key, entry in
      if found.updateValue(entry, forKey: key) != nil { repeated.append(key) }
      return true
    }
    let place = namespace.map { "namespace \"\($0)\"" } ?? "all namespaces"
    for key in repeated { expect(false, "a scan of \(place) lists \(name(of: key)) twice") }
    for (key, entry) in expected {
      expectEqual(found.removeValue(forKey: key), entry, key, "a scan of \(place)")
    }
    for key in found.keys { expect(false, "a scan of \(place) lists \(name(of: key)) too") }
  }
}
