// Checks: several entries at once are what they are alone.
import CacheAside

extension CacheStoreConformance.Trial {
  func bulk() async throws {
    let other = Namespace("conformance-bulk")
    let keys = (0..<20).map { key("bulk \($0)") } + [key("bulk 0", in: other)]
    var written = keys.enumerated().map { index, key in (key: key, entry: entry("\(index)")) }
    try await store.set(written)
    let absent = key("bulk absent")
    let found = try await store.entries(for: keys + [absent])
    expect(found.count == keys.count, "read \(found.count) of \(keys.count) written together")
    for (key, entry) in written {
      expectEqual(found[key], entry, key, "read together")
      try await expectEntry(entry, for: key, "read alone")
    }
    written[3].entry = entry(nil as [UInt8]?)
    written[5].entry = entry([])
    try await store.set([written[3], written[5]])
    try await store.remove(keys[7])
    let again = try await store.entries(for: [keys[3], keys[5], keys[7], keys[8]])
    for index in [3, 5, 8] {
      expectEqual(again[keys[index]], written[index].entry, keys[index], "after an overwrite")
    }
    expect(again[keys[7]] == nil, "a removed key is read together with others")
    let nothing = try await store.entries(for: [])
    expect(nothing.isEmpty, "reads something for no keys")
    try await store.set([])
  }
}
