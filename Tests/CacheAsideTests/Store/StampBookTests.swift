import Testing

@testable import CacheAside

struct StampBookTests {
  private typealias Tag = CacheAside.Tag

  private let stamps = InvalidationStamps(limit: 4)

  private func expiry(_ moment: Int64, staleIfError: Int64 = 100) -> HandExpiry {
    HandExpiry(
      now: Moment(monotonic: moment, wall: moment),
      staleIfError: staleIfError,
      keepExpired: 0
    )
  }

  private func terms(_ tags: Tag..., begun: UInt64, in namespace: Namespace? = nil) -> EntryTerms {
    EntryTerms(tags: tags, namespace: namespace, begun: begun)
  }

  @Test func `a stamp reaches what began before it and nothing that began after`() {
    stamps.stamp(tags: ["a"])
    #expect(stamps.verdict(terms("a", begun: 0)) == .out)
    #expect(stamps.verdict(terms("a", begun: 1)) == .current)
    #expect(stamps.verdict(terms("b", begun: 0)) == .current)
  }

  @Test func `of several expiries the first that reaches an entry decides`() {
    stamps.stamp(tags: ["a"], expiry(10))
    stamps.stamp(tags: ["a"], expiry(20))
    #expect(stamps.verdict(terms("a", begun: 0)) == .expired(expiry(10), upTo: 2))
    #expect(stamps.verdict(terms("a", begun: 1)) == .expired(expiry(20), upTo: 2))
    #expect(stamps.verdict(terms("a", begun: 2)) == .current)
  }

  @Test func `a removal overrides the expiries before it and none after`() {
    stamps.stamp(tags: ["a"], expiry(10))
    stamps.stamp(tags: ["a"])
    stamps.stamp(tags: ["a"], expiry(30))
    #expect(stamps.verdict(terms("a", begun: 0)) == .out)
    #expect(stamps.verdict(terms("a", begun: 1)) == .out)
    #expect(stamps.verdict(terms("a", begun: 2)) == .expired(expiry(30), upTo: 3))
  }

  @Test func `more expiries than are kept shorten and never prolong`() {
    for moment in 1...20 { stamps.stamp(tags: ["a"], expiry(Int64(moment))) }
    for begun in 0..<20 {
      guard case .expired(let expiry, _) = stamps.verdict(terms("a", begun: UInt64(begun))) else {
        Issue.record("begun at \(begun) is not reached")
        continue
      }
      #expect(expiry.now.wall <= Int64(begun + 1))
    }
    #expect(stamps.verdict(terms("a", begun: 20)) == .current)
  }

  @Test func `what several stamps expire gets the shortest of them, and a removal wins`() {
    let scope = Namespace("f", scope: ["tenant": "north"])
    stamps.stamp(tags: ["a"], expiry(10, staleIfError: 50))
    stamps.stamp(scope.scope, expiry(20, staleIfError: 5))
    let both = stamps.verdict(terms("a", begun: 0, in: scope))
    #expect(both == .expired(expiry(10, staleIfError: 5), upTo: 2))
    stamps.stamp(allOf: ["b", "a"])
    #expect(stamps.verdict(terms("a", begun: 0, in: scope)) == both.later(3))
    #expect(stamps.verdict(terms("a", "c", "b", begun: 0, in: scope)) == .out)
    #expect(stamps.verdict(terms("a", "b", begun: 3)) == .current)
  }

  @Test func `combinations beyond their bound reach more, never less`() {
    let stamps = InvalidationStamps()
    for index in 0..<(StampBook.combinationsKept + 1) {
      stamps.stamp(allOf: [Tag("x\(index)"), "y"])
    }
    let last = StampBook.combinationsKept
    #expect(stamps.verdict(terms("x0", begun: 0)) == .current)
    #expect(stamps.verdict(terms("x0", "y", begun: 0)) == .out)
    #expect(stamps.verdict(terms(Tag("x\(last)"), begun: 0)) == .out)
    #expect(stamps.verdict(terms(Tag("x\(last)"), "y", begun: 0)) == .out)
  }

  @Test func `tags beyond their bound take everything older with them`() {
    for tag: Tag in ["a", "b", "c", "d", "e"] { stamps.stamp(tags: [tag], expiry(1)) }
    #expect(stamps.verdict(terms("z", begun: 0)) == .out)
    #expect(stamps.verdict(terms("z", begun: 5)) == .current)
    #expect(stamps.verdict(terms(begun: 0)) == .current)
  }
}

extension InvalidationStamps.Verdict {
  /// The same at a later place in the sequence.
  fileprivate func later(_ sequence: UInt64) -> Self {
    guard case .expired(let expiry, _) = self else { return self }
    return .expired(expiry, upTo: sequence)
  }
}
