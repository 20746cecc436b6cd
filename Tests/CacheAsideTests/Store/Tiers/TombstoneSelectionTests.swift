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

  private func selection(_ tag: CacheAside.Tag) -> TierSweep {
    .invalidate(StoreInvalidation(.remove, .anyOf([tag]), in: Namespace("feature")))
  }

  private func scope(_ user: String) -> TierSweep {
    let namespace = Namespace("feature", scope: ["user": user])
    return .invalidate(StoreInvalidation(.remove, .everything, in: namespace))
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
    stones.lift(.clear(Namespace("feature")), upTo: second)
    #expect(!stones.admits(key, entry("u")))
    stones.lift(.clear(Namespace("feature")), upTo: stones.newest)
    #expect(stones.admits(key, entry("u")))
  }

  @Test func `a successful expire does not lift a failed removal of the same tag (B363)`() {
    stones.putBarrier(selection("t"), wall: 10)
    let expired = StoreInvalidation(
      .expire(at: 0, staleIfError: 0, keepExpired: 0),
      .anyOf(["t"]),
      in: Namespace("feature")
    )
    stones.lift(.invalidate(expired), upTo: stones.newest)
    #expect(!stones.admits(key, entry("t")))
    stones.putBarrier(.invalidate(expired), wall: 10)
    stones.lift(selection("t"), upTo: stones.newest)
    #expect(stones.admits(key, entry("t")))
  }

  @Test func `failed selections beyond their bound hide the feature until it is cleared (B363)`() {
    let stones = Tombstones(barrierLimit: 64)
    for index in 0...64 { stones.putBarrier(selection(CacheAside.Tag("\(index)")), wall: 10) }
    #expect(!stones.admits(key, entry("0")))
    #expect(!stones.admits(key, entry("none")))
    #expect(stones.admits(key, entry("0", created: 11)))
    #expect(stones.failed(keys: 0).barriers.count == 1)
    stones.lift(.clear(Namespace("feature")), upTo: stones.newest)
    #expect(stones.admits(key, entry("none")))
  }

  @Test func `queued selections are never collapsed (B363)`() {
    let stones = Tombstones(barrierLimit: 64)
    let tokens = (0..<500).map {
      stones.putBarrier(selection(CacheAside.Tag("\($0)")), wall: 10, isQueued: true)
    }
    #expect(stones.admits(key, entry("none")))
    #expect(!stones.admits(key, entry("499")))
    for token in tokens { stones.lift(token) }
    #expect(stones.admits(key, entry("499")))
  }

  @Test(arguments: [false, true])
  func `a read costs the same behind many barriers (B380)`(scoped: Bool) async {
    func cost(_ count: Int) async -> Int {
      let stones = Tombstones(barrierLimit: .max)
      for index in 0..<count {
        let sweep = scoped ? scope("\(index)") : selection(CacheAside.Tag("\(index)"))
        stones.putBarrier(sweep, wall: 10)
      }
      let reader = key.within(Namespace("feature", scope: ["user": "x"]))
      let log = await WorkLog.recording { #expect(stones.admits(reader, entry("u", "v"))) }
      return log[.entry]
    }
    let few = await cost(100)
    #expect(few > 0)
    #expect(await cost(1_000) == few)
  }

  @Test func `what is lifted during a read is read again, once (B372)`() {
    let sweep = selection("t")
    let token = stones.putBarrier(sweep, wall: 10, isQueued: true)
    let mark = stones.mark
    stones.lift(token)
    #expect(stones.verdict(key, entry("t"), since: mark) == .readAgain)
    #expect(stones.verdict(key, entry("u"), since: mark) == .take)
    #expect(stones.verdict(key, entry("t"), since: stones.mark) == .take)
    for index in 0..<100 {
      stones.lift(stones.putBarrier(selection(CacheAside.Tag("\(index)")), wall: 10))
    }
    #expect(stones.verdict(key, entry("u"), since: mark) == .readAgain)
  }
}
