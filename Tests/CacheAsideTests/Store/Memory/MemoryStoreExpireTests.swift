import Testing

@testable import CacheAside

/// Expiry by hand; lengths are milliseconds.
@Suite struct MemoryStoreExpireTests {
  let clock = HandClock()
  let store: MemoryStore<Int, Int>

  init() throws { store = try MemoryStore(limits: .count(10), time: clock.source) }

  private func insert(fresh: Int64, kept: Int64, _ terms: EntryTerms?) {
    store.insert(
      1,
      for: 1,
      hash: store.hash(of: 1),
      storedAt: clock.now,
      deadline: clock.after(milliseconds: fresh),
      keptUntil: clock.after(milliseconds: kept),
      cost: 1,
      terms: terms
    )
  }

  @discardableResult
  private func expire(staleIfError: Int64, keepExpired: Int64 = 0) -> Bool {
    store.expire(
      1,
      hash: store.hash(of: 1),
      at: clock.now,
      staleIfError: staleIfError * 1_000_000,
      keepExpired: keepExpired * 1_000_000
    )
  }

  private static func terms(_ staleIfError: Int64) -> EntryTerms {
    EntryTerms(
      staleWhileRevalidate: 7,
      staleIfError: staleIfError * 1_000_000,
      validator: "v",
      tags: ["t"],
      begun: 3
    )
  }

  @Test(arguments: [(50, 200, 50), (200, 50, 50), (0, 50, 0), (50, 0, 0)])
  func `the window for failures is the shorter of its own and the given one`(
    own: Int64,
    given: Int64,
    expected: Int64
  ) {
    insert(fresh: 1000, kept: 1300, Self.terms(own))
    clock.advance(milliseconds: 10)
    #expect(expire(staleIfError: given, keepExpired: 300))
    #expect(store.peek(1) == nil)
    let entry = store.entry(for: 1)
    #expect(entry?.deadline == clock.now)
    #expect(entry?.keptUntil == clock.after(milliseconds: 300))
    let expectedTerms = EntryTerms(
      staleIfError: expected * 1_000_000,
      validator: "v",
      tags: ["t"],
      begun: 3,
      isExpiredByHand: true
    )
    #expect(entry?.terms == expectedTerms)
  }

  @Test func `what is stale already ends no later than before`() {
    insert(fresh: 100, kept: 400, Self.terms(300))
    clock.advance(milliseconds: 200)
    let (deadline, kept) = (clock.after(milliseconds: -100), clock.after(milliseconds: 200))
    expire(staleIfError: 1000, keepExpired: 1000)
    #expect(store.entry(for: 1)?.deadline == deadline)
    #expect(store.entry(for: 1)?.keptUntil == kept)
    #expect(store.entry(for: 1)?.terms?.staleIfError == 300_000_000)
    expire(staleIfError: 50)
    #expect(store.entry(for: 1)?.deadline == deadline)
    #expect(store.entry(for: 1)?.terms?.staleIfError == 150_000_000)
    #expect(store.entry(for: 1)?.keptUntil == clock.after(milliseconds: 50))
    expire(staleIfError: 0)
    #expect(store.count == 0)
  }

  @Test func `an entry that is not kept leaves`() {
    insert(fresh: 100, kept: 400, nil)
    #expect(expire(staleIfError: 100))
    #expect(store.count == 0)
    #expect(store.counters.expired == 1)
    #expect(!expire(staleIfError: 100))
  }

  @Test func `an entry without terms is marked when it is kept`() {
    insert(fresh: 100, kept: 100, nil)
    expire(staleIfError: 50, keepExpired: 40)
    let entry = store.entry(for: 1)
    #expect(entry?.terms == EntryTerms(isExpiredByHand: true))
    #expect(entry?.keptUntil == clock.after(milliseconds: 40))
  }
}
