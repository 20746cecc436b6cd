import Synchronization
import Testing

@testable import CacheAside

/// Objects of a user that end where the library throws something away: never under its locks.
@Suite(.timeLimit(.minutes(60))) struct AfterUnlockTests {
  /// An object whose end uses what it was given to.
  private final class Ending: Sendable {
    private let atEnd: @Sendable () -> Void
    init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }
    deinit { atEnd() }
  }

  @Test func `conditions of refreshes that are given up end after the lock (B382)`() throws {
    let cache = try Cache<String, Int>(name: "feature") { Memory() }
    let ends = Atomic<Int>(0)
    for _ in 0..<130 {
      let captured = Ending {
        ends.add(1, ordering: .relaxed)
        do { try cache.refresh(.tag("t")) } catch { Issue.record(error) }
      }
      try cache.refresh(
        .where { entry in
          _ = captured
          return entry.tags.isEmpty
        }
      )
    }
    #expect(ends.load(ordering: .relaxed) >= 65)
  }

  @Test func `a full list of keys to refresh lets go of conditions after the lock (B382)`() throws {
    let requests = RefreshRequests(limit: 3)
    let ends = Atomic<Int>(0)
    do {
      let captured = Ending {
        ends.add(1, ordering: .relaxed)
        requests.note(.tag("again"), keys: [], at: 2)
      }
      requests.note(
        .where { _ in
          _ = captured
          return false
        },
        keys: [],
        at: 1
      )
    }
    requests.note(.tags(anyOf: ["a", "b", "c"]), keys: [], at: 1)
    #expect(ends.load(ordering: .relaxed) == 0)
    requests.note(.tag("d"), keys: [], at: 1)
    #expect(ends.load(ordering: .relaxed) == 1)
  }

  @Test func `what is moved out under a lock ends when the lock is free (B382)`() {
    let lock = Lock(0)
    let isFree = Atomic<Bool>(false)
    do {
      var released = ReleasedAfterUnlock()
      lock.withLock { _ in
        released.keep(
          Ending {
            lock.withLock { $0 += 1 }
            isFree.store(true, ordering: .relaxed)
          }
        )
      }
      _ = consume released
    }
    #expect(isFree.load(ordering: .relaxed) == true)
  }

  @Test func `the clock that a store used before ends after the lock (B382)`() throws {
    let store = try MemoryCacheStore()
    let isFree = Atomic<Bool>(false)
    final class Clock: TimeProvider {
      let ending: Ending
      init(_ ending: Ending) { self.ending = ending }
      var monotonicNanoseconds: Int64 { 0 }
      var wallMicroseconds: Int64 { 0 }
      var taskExecutor: (any TaskExecutor)? { nil }
      func sleep(untilNanoseconds deadline: Int64) async throws {}
      func beginWork(_ label: String) -> UInt64 { 0 }
      func endWork(_ token: UInt64) {}
      func nextRandom() -> UInt64 { 4 }
    }
    func attach(_ ending: Ending) {
      store.attach(StoreContext(time: TimeSource(Clock(ending)), report: { _, _, _ in }))
    }
    attach(
      Ending { [unowned store] in
        // Asks for the clock, under the lock that guards it.
        _ = store.wall
        isFree.store(true, ordering: .relaxed)
      }
    )
    attach(Ending {})
    #expect(isFree.load(ordering: .relaxed) == true)
  }
}
