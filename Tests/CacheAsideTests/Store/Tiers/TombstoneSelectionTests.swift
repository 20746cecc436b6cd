import Testing

@testable import CacheAside

struct TombstoneSelectionTests {
  private let key = CacheKey(text: "k", namespace: Namespace("feature"))
  private let stones = Tombstones()

  private func entry(_ tags: CacheAside.Tag..., created: Int64 = 10) -> CacheEntry {
    var entry = CacheEntry(payload: nil, codec: .raw, type: 0, created: created)
    entry.metadata.tags = tags
    return entry
  }

  private func selection(_ tag: CacheAside.Tag) -> StoreInvalidation {
    StoreInvalidation(.remove, .anyOf([tag]), in: Namespace("feature"))
  }

  @Test func `a barrier on a selection covers what it selects and was created before`() {
    stones.putBarrier(selection("t"), wall: 10)
    #expect(!stones.admits(key, entry("t")))
    #expect(!stones.admits(key.within(Namespace("feature", scope: ["a": "b"])), entry("t")))
    #expect(stones.admits(key, entry("t", created: 11)))
    #expect(stones.admits(key, entry("u")))
    #expect(stones.admits(key.within(Namespace("other")), entry("t")))
  }

  @Test func `a token lifts its selection's barrier and no later one`() {
    let first = stones.putBarrier(selection("t"), wall: 10)
    let second = stones.putBarrier(selection("t"), wall: 10)
    let other = stones.putBarrier(selection("u"), wall: 10)
    stones.lift(selection("t"), upTo: first)
    #expect(!stones.admits(key, entry("t")))
    stones.lift(selection("t"), upTo: other)
    #expect(second < other)
    #expect(stones.admits(key, entry("t")))
    #expect(!stones.admits(key, entry("u")))
    stones.liftAll(Namespace("feature"), upTo: stones.newest)
    #expect(stones.admits(key, entry("u")))
  }

  @Test func `selections beyond their bound become barriers of their namespaces`() {
    for index in 0...64 { stones.putBarrier(selection(CacheAside.Tag("\(index)")), wall: 10) }
    #expect(!stones.admits(key, entry("0")))
    #expect(!stones.admits(key, entry("64")))
    #expect(!stones.admits(key, entry("none")))
    #expect(stones.admits(key, entry("0", created: 11)))
  }
}
