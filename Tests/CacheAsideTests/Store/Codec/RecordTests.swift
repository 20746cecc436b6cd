import CacheAside
import Testing

/// The record as third-party stores read and write it.
struct RecordTests {
  private let key = CacheKey("user/\(42)").within(Namespace("profiles", version: 2))

  private func entry() -> CacheEntry {
    var entry = CacheEntry(payload: [1, 2, 3], codec: .raw, type: 7, created: 1, freshUntil: 2)
    entry.metadata[.validator] = [9]
    return entry
  }

  @Test func `a record gives back its key and its entry`() throws {
    let (readKey, readEntry) = try CacheEntry.read(record: entry().record(for: key))
    #expect(readKey == key)
    #expect(readEntry == entry())
  }

  @Test func `S2 every flipped byte and every cut is found`() throws {
    let record = try entry().record(for: key)
    for index in record.indices {
      var damaged = record
      damaged[index] ^= 1
      #expect(throws: CacheError.self) { try CacheEntry.read(record: damaged) }
      #expect(throws: CacheError.self) {
        try CacheEntry.read(record: Array(record.prefix(index)))
      }
    }
  }
}
