// Checks: flush, close and reopen lose nothing and bring nothing back.
import CacheAside

extension CacheStoreConformance.Trial {
  func flushKeepsAll() async throws {
    let history = try await writeHistory()
    try await store.flush()
    try await expectHistory(history, in: store, "after a flush")
    try await store.flush()
    try await expectHistory(history, in: store, "after the second flush")
  }

  func persistence() async throws {
    guard store.capabilities.contains(.persistent), let reopen = kit.reopen else { return }
    let history = try await writeHistory()
    try await store.flush()
    await store.close()
    let again = try await reopen(store)
    attach(again)
    try await expectHistory(history, in: again, "after reopening")
    try await again.remove(key("kept 1"))
    await again.close()

    let third = try await reopen(store)
    attach(third)
    var rest = history
    rest[key("kept 1")] = .some(nil)
    try await expectHistory(rest, in: third, "after the second reopening")
    try await third.removeAll(in: nil)
    await third.close()
  }

  func secondInstance() async throws {
    guard store.capabilities.contains(.persistent), let reopen = kit.reopen else { return }
    let history = try await writeHistory()
    try await store.flush()
    let other = try await reopen(store)
    attach(other)
    try await expectHistory(history, in: other, "in another instance")
    try await expectHistory(history, in: store, "after another instance read all")
    await other.close()
    try await expectHistory(history, in: store, "after another instance was closed")
  }

  /// Writes, overwrites and removes; returns what must be there, and what must not.
  private func writeHistory() async throws -> [CacheKey: CacheEntry?] {
    var history: [CacheKey: CacheEntry?] = [:]
    for (index, text) in ["kept 1", "kept 2", "a/b", "日本", String(repeating: "k", count: 5_000)]
      .enumerated()
    {
      var written = entry([UInt8](repeating: UInt8(index), count: index * 1_000))
      written.metadata[.validator] = Array("v\(index)".utf8)
      try await store.set(written, for: key(text))
      history[key(text)] = written
    }
    let (older, newer) = (entry("older"), entry("newer"))
    try await store.set(older, for: key("overwritten"))
    try await store.set(newer, for: key("overwritten"))
    history[key("overwritten")] = newer
    try await store.set(older, for: key("removed"))
    try await store.remove(key("removed"))
    history[key("removed")] = .some(nil)
    let cleared = Namespace("cleared")
    try await store.set(older, for: key("cleared", in: cleared))
    try await store.removeAll(in: cleared)
    history[key("cleared", in: cleared)] = .some(nil)
    return history
  }

  private func expectHistory(
    _ history: [CacheKey: CacheEntry?],
    in store: Store,
    _ when: String
  ) async throws {
    for (key, expected) in history {
      expectEqual(try await store.entry(for: key), expected, key, when)
    }
  }
}
