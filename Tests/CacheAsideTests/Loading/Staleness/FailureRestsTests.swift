import Testing

@testable import CacheAside

struct FailureRestsTests {
  private func key(_ number: Int) -> HashedKey<Int> {
    HashedKey(key: number, hash: UInt64(number))
  }

  @Test func `beyond the bound the rest that ends first leaves, and no other`() {
    let rests = FailureRests<Int>(limit: 3)
    for (number, moment) in [(1, 30), (2, 10), (3, 20)] {
      #expect(rests.begin(key(number), until: Int64(moment)).isEmpty)
    }
    #expect(rests.begin(key(4), until: 40).map(\.key.key) == [2])
    #expect(Set(rests.keys.map(\.key)) == [1, 3, 4])
    // A rest that begins anew takes the place of its own.
    #expect(rests.begin(key(3), until: 50).map(\.moment) == [20])
    #expect(rests.begin(key(5), until: 60).map(\.key.key) == [1])
    rests.end(key(4))
    #expect(rests.begin(key(6), until: 70).isEmpty)
    #expect(rests.covers(key(3), now: 49))
    #expect(!rests.covers(key(3), now: 50))
    #expect(rests.end(of: key(1)) == nil)
    rests.endAll()
    #expect(rests.isEmpty && rests.keys.isEmpty)
    #expect(rests.begin(key(7), until: 80).isEmpty)
    #expect(rests.holds(key(7)))
  }

  @Test func `a failure beyond the bound looks at few rests, however many there are`() async {
    func work(_ limit: Int) async -> Int {
      let rests = FailureRests<Int>(limit: limit)
      for number in 0..<limit { _ = rests.begin(key(number), until: Int64(number)) }
      let log = await WorkLog.recording {
        for number in limit..<limit + 100 { _ = rests.begin(key(number), until: Int64(number)) }
      }
      #expect(rests.keys.count == limit)
      return log[.entry]
    }
    let few = await work(300)
    #expect(few > 0)
    #expect(await work(3_000) <= 2 * few)
  }
}
