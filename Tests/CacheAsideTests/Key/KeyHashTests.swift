import Testing

@testable import CacheAside

@Suite struct KeyHashTests {
  @Test func `equal pairs have equal hashes, whatever their parts`() {
    func check<Pair: Hashable>(_ one: Pair, _ other: Pair) {
      #expect(one == other)
      #expect(one._rawHashValue(seed: 3) == other._rawHashValue(seed: 3))
    }
    check(ArgumentPair("K", 1), ArgumentPair("\u{212A}", 1))
    check(ArgumentPair(1, "\u{E9}"), ArgumentPair(1, "e\u{301}"))
    check(ArgumentPair("\u{E9}K", "a;b"), ArgumentPair("e\u{301}\u{212A}", "a\u{37E}b"))
    check(ArgumentPair(0.0, UInt8(7)), ArgumentPair(-0.0, UInt8(7)))
    check(ArgumentPair(Int?.none, [1, 2]), ArgumentPair(Int?.none, [1, 2]))
  }

  @Test func `pairs that differ in one part have different hashes`() {
    var hashes: Set<Int> = []
    for number in 1...40 {
      for text in ["", "a", "ab", "ba", "abcdefgh", "abcdefghi", "\u{E9}"] {
        hashes.insert(ArgumentPair(number, text)._rawHashValue(seed: 9))
        hashes.insert(ArgumentPair(text, number)._rawHashValue(seed: 9))
      }
    }
    #expect(hashes.count == 2 * 40 * 7)
    // The length of the first part tells where the second begins.
    let moved = [ArgumentPair("ab", "c"), ArgumentPair("a", "bc"), ArgumentPair("", "abc")]
    #expect(Set(moved.map { $0._rawHashValue(seed: 9) }).count == 3)
  }

  @Test func `keys hash their text and their namespace`() {
    let text: CacheKey = "user/\("e\u{301}")"
    let same: CacheKey = "user/\("\u{E9}")"
    #expect(text._rawHashValue(seed: 5) == same._rawHashValue(seed: 5))
    let other = text.within(Namespace("north"))
    #expect(other._rawHashValue(seed: 5) != text._rawHashValue(seed: 5))
    let again = same.within(Namespace("north"))
    #expect(other._rawHashValue(seed: 5) == again._rawHashValue(seed: 5))
    #expect(text._rawHashValue(seed: 5) != text._rawHashValue(seed: 6))
  }
}
