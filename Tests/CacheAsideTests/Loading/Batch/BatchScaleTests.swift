import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct BatchScaleTests {
  /// What is looked at and moved when batches are under way at the same time.
  private func work(batches count: Int) async throws -> Int {
    let fixture = try BatchFixture(.memory)
    let feature = try fixture.open()
    let gate = Gate()
    let fetch = feature.cachedBatch(key: { "n/\($0)" }) { (ids: [Int]) in
      try await gate.wait()
      return Dictionary(uniqueKeysWithValues: ids.map { ($0, $0) })
    }
    let clock = fixture.clock
    let log = try await WorkLog.recording {
      let callers = (0..<count).map { batch in
        clock.startTask { try await fetch(Array(batch * 10..<batch * 10 + 10)) }
      }
      try await clock.settle()
      #expect(gate.waiting == count)
      gate.open()
      for caller in callers { #expect(try await caller.value.count == 10) }
    }
    #expect(feature.isQuiet)
    return log[.entry] + log[.waiter]
  }

  @Test func `ten times the batches are hardly more than ten times the work (B375)`() async throws {
    let few = try await work(batches: 20)
    let many = try await work(batches: 200)
    #expect(few >= 20 * 10)
    #expect(many <= few * 12)
  }

  @Test func `a batch sees the changes since its start and no others (B375)`() {
    let watches = ChangeWatches()
    watches.note(1)
    let first = watches.add()
    watches.note(2)
    let second = watches.add()
    watches.note(3)
    watches.note(2)
    #expect([1, 2, 3].map { first.hasSeen($0) } == [false, true, true])
    #expect([1, 2, 3].map { second.hasSeen($0) } == [false, true, true])
    let third = watches.add()
    #expect([1, 2, 3].map { third.hasSeen($0) } == [false, false, false])
    watches.remove(first)
    #expect([1, 2, 3].map { second.hasSeen($0) } == [false, true, true])
    watches.noteAll()
    #expect(second.hasSeen(9) && third.hasSeen(9))
    let fourth = watches.add()
    #expect(!fourth.hasSeen(9))
    for watch in [second, third, fourth] { watches.remove(watch) }
    #expect(watches.noted == 0)
  }

  @Test func `what is noted for a long batch is bounded by the keys that change (B375)`() {
    let watches = ChangeWatches()
    let long = watches.add()
    for number in 0..<50_000 {
      watches.note(UInt64(number % 100))
      watches.remove(watches.add())
    }
    #expect(watches.noted <= 2_000)
    #expect(long.hasSeen(99) && !long.hasSeen(100))
    watches.remove(long)
    #expect(watches.noted == 0)
  }
}
