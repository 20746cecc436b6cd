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

  @Test func `a barrier on a selection covers what it selects and was created before`() {
    stones.putBarrier(selection("t"), wall: 10)
    #expect(!stones.admits(key, entry("t"), 1_000))
    #expect(!stones.admits(key.within(Namespace("feature", scope: ["a": "b"])), entry("t"), 1_000))
    #expect(stones.admits(key, entry("t", created: 11), 1_000))
    #expect(stones.admits(key, entry("u"), 1_000))
    #expect(stones.admits(key.within(Namespace("other")), entry("t"), 1_000))
  }

  @Test func `a token lifts its selection's barrier and no later one`() {
    let first = stones.putBarrier(selection("t"), wall: 10)
    let second = stones.putBarrier(selection("t"), wall: 10)
    let other = stones.putBarrier(selection("u"), wall: 10)
    stones.lift(selection("t"), upTo: first)
    #expect(!stones.admits(key, entry("t"), 1_000))
    stones.lift(selection("t"), upTo: other)
    #expect(second < other)
    #expect(stones.admits(key, entry("t"), 1_000))
    #expect(!stones.admits(key, entry("u"), 1_000))
    stones.lift(.clear(Namespace("feature")), upTo: second)
    #expect(!stones.admits(key, entry("u"), 1_000))
    stones.lift(.clear(Namespace("feature")), upTo: stones.newest)
    #expect(stones.admits(key, entry("u"), 1_000))
  }

  @Test func `a successful expire does not lift a failed removal of the same tag (B363)`() {
    stones.putBarrier(selection("t"), wall: 10)
    let expired = StoreInvalidation(
      .expire(at: 0, staleIfError: 0, keepExpired: 0),
      .anyOf(["t"]),
      in: Namespace("feature")
    )
    stones.lift(.invalidate(expired), upTo: stones.newest)
    #expect(!stones.admits(key, entry("t"), 1_000))
    stones.putBarrier(.invalidate(expired), wall: 10)
    stones.lift(selection("t"), upTo: stones.newest)
    #expect(stones.admits(key, entry("t"), 1_000))
  }

  @Test func `failed selections beyond their bound hide the feature until it is cleared (B363)`() {
    let stones = Tombstones(barrierLimit: 64)
    for index in 0...64 { stones.putBarrier(selection(CacheAside.Tag("\(index)")), wall: 10) }
    #expect(!stones.admits(key, entry("0"), 1_000))
    #expect(!stones.admits(key, entry("none"), 1_000))
    #expect(stones.admits(key, entry("0", created: 11), 1_000))
    #expect(stones.failed(keys: 0).barriers.count == 1)
    stones.lift(.clear(Namespace("feature")), upTo: stones.newest)
    #expect(stones.admits(key, entry("none"), 1_000))
  }

  @Test func `queued selections are never collapsed (B363)`() {
    let stones = Tombstones(barrierLimit: 64)
    let tokens = (0..<500).map {
      stones.putBarrier(selection(CacheAside.Tag("\($0)")), wall: 10, isQueued: true)
    }
    #expect(stones.admits(key, entry("none"), 1_000))
    #expect(!stones.admits(key, entry("499"), 1_000))
    for token in tokens { stones.lift(token) }
    #expect(stones.admits(key, entry("499"), 1_000))
  }

  /// What many barriers differ in.
  enum Difference: CaseIterable, Sendable {
    case tag, scope, innerScope, deepScope, scopeOfOneTag, oneOfTwoTags
  }

  private func sweep(_ difference: Difference, _ index: Int) -> TierSweep {
    func removal(
      _ selection: StoreInvalidation.Selection = .everything,
      _ scope: CacheScope = .none
    ) -> TierSweep {
      .invalidate(StoreInvalidation(.remove, selection, in: Namespace("feature", scope: scope)))
    }
    let user = "\(index)"
    return switch difference {
    case .tag: removal(.anyOf([CacheAside.Tag(user)]))
    case .scope: removal(.everything, ["user": user])
    case .innerScope: removal(.everything, ["tenant": "1", "user": user])
    case .deepScope: removal(.everything, ["area": "1", "tenant": "1", "user": user, "zone": "1"])
    case .scopeOfOneTag: removal(.anyOf(["u"]), ["tenant": "1", "user": user])
    case .oneOfTwoTags: removal(.allOf(["u", CacheAside.Tag(user)]))
    }
  }

  @Test(arguments: Difference.allCases)
  func `a read costs the same behind many barriers (B380)`(difference: Difference) async {
    let scope: CacheScope = ["area": "1", "tenant": "1", "user": "x", "zone": "1"]
    func cost(_ count: Int) async -> Int {
      let stones = Tombstones(barrierLimit: .max)
      for index in 0..<count { stones.putBarrier(sweep(difference, index), wall: 10) }
      let reader = key.within(Namespace("feature", scope: scope))
      let log = await WorkLog.recording { #expect(stones.admits(reader, entry("u", "v"), 1_000)) }
      // One of them hides its own.
      let last = "\(count - 1)"
      let hidden = key.within(Namespace("feature", scope: scope.adding("user", last)))
      #expect(!stones.admits(hidden, entry("u", CacheAside.Tag(last)), 1_000))
      return log[.entry]
    }
    let few = await cost(100)
    #expect(few > 0)
    #expect(await cost(1_000) == few)
  }

  @Test func `a barrier on any parts of a scope is found from the whole, and only by it`() {
    let whole: CacheScope = ["a": "1", "b": "2", "c": "3"]
    let scopes: [CacheScope] = [
      .none, ["a": "1"], ["b": "2"], ["c": "3"], ["a": "1", "c": "3"], ["b": "2", "c": "3"], whole,
    ]
    for (selection, tag) in [(.everything, "other"), (.anyOf(["t"]), "t")]
      as [(StoreInvalidation.Selection, CacheAside.Tag)]
    {
      for scope in scopes {
        let stones = Tombstones()
        let space = Namespace("feature", scope: scope)
        let sweep = TierSweep.invalidate(StoreInvalidation(.remove, selection, in: space))
        let token = stones.putBarrier(sweep, wall: 10)
        #expect(!stones.admits(key.within(Namespace("feature", scope: whole)), entry(tag), 1_000))
        if !scope.isEmpty { #expect(stones.admits(key, entry(tag), 1_000)) }
        for part in scope.parts {
          let other = Namespace("feature", scope: whole.adding(part.name, "x"))
          #expect(stones.admits(key.within(other), entry(tag), 1_000))
        }
        stones.lift(token)
        #expect(stones.admits(key.within(Namespace("feature", scope: whole)), entry(tag), 1_000))
      }
    }
  }

  @Test func `more sets of part names than are kept apart lose no barrier`() {
    let names = (0..<ScopeShapes.limit + 8).map { "part\($0)" }
    let tokens = names.map { name in
      let space = Namespace("feature", scope: [name: "x"])
      return stones.putBarrier(
        .invalidate(StoreInvalidation(.remove, .everything, in: space)),
        wall: 10
      )
    }
    for (name, token) in zip(names, tokens) {
      let scope: CacheScope = [name: "x", "zone": "y"]
      #expect(!stones.admits(key.within(Namespace("feature", scope: scope)), entry(), 1_000))
      #expect(stones.admits(key.within(Namespace("feature", scope: [name: "y"])), entry(), 1_000))
      stones.lift(token)
      #expect(stones.admits(key.within(Namespace("feature", scope: scope)), entry(), 1_000))
    }
  }

  @Test func `what is lifted during a read is read again, once (B372)`() {
    let sweep = selection("t")
    let token = stones.putBarrier(sweep, wall: 10, isQueued: true)
    let mark = stones.mark
    stones.lift(token)
    #expect(stones.verdict(key, entry("t"), since: mark, 1_000) == .readAgain)
    #expect(stones.verdict(key, entry("u"), since: mark, 1_000) == .take)
    #expect(stones.verdict(key, entry("t"), since: stones.mark, 1_000) == .take)
    for index in 0..<100 {
      stones.lift(stones.putBarrier(selection(CacheAside.Tag("\(index)")), wall: 10))
    }
    #expect(stones.verdict(key, entry("u"), since: mark, 1_000) == .readAgain)
  }
}
