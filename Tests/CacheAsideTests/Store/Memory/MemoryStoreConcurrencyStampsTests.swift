import Synchronization
import Testing

@testable import CacheAside

/// Invalidations by tag against inserts, reads and sweeps at the same time.
@Suite(.timeLimit(.minutes(60))) struct MemoryStoreConcurrencyStampsTests {
  private static let tagCount = 4

  /// Up to where the sequence of a tag's invalidations is known to be done with.
  private final class Floors: Sendable {
    private let floors = Lock([UInt64](repeating: 0, count: tagCount))

    func raise(_ tag: Int, to sequence: UInt64) {
      floors.withLock { $0[tag] = max($0[tag], sequence) }
    }

    subscript(tag: Int) -> UInt64 { floors.withLock { $0[tag] } }
  }

  private let clock = HandClock()
  private let stamps = InvalidationStamps()
  private let floors = Floors()
  private let store: MemoryStore<Int, UInt64>

  init() throws {
    store = try MemoryStore(limits: .count(4_000), time: clock.source, stamps: stamps)
  }

  private func name(_ tag: Int) -> CacheAside.Tag { CacheAside.Tag("\(tag)") }

  /// Stores where the sequence stood when the load of a key began.
  private func insert(_ key: Int, _ begun: UInt64) {
    store.insert(
      begun,
      for: key,
      hash: store.hash(of: key),
      storedAt: clock.now,
      deadline: clock.after(milliseconds: 1_000_000),
      keptUntil: clock.after(milliseconds: 2_000_000),
      cost: 1,
      terms: EntryTerms(
        staleIfError: 1_000_000_000,
        tags: [name(key % Self.tagCount)],
        begun: begun,
        isPinned: key % 97 == 0
      )
    )
  }

  private func invalidate(_ tag: Int, expires: Bool) {
    let before = stamps.now
    let now = Moment(monotonic: clock.now, wall: 0)
    stamps.stamp(
      tags: [name(tag)],
      expires ? HandExpiry(now: now, staleIfError: 1_000_000, keepExpired: 1_000_000) : nil
    )
    store.invalidateSelectable(expires: expires)
    // Whatever number the stamp has, it is higher than that before it.
    floors.raise(tag, to: before + 1)
  }

  @Test func `F4 nothing that began before an invalidation is read after it`() async {
    #expect(store.shardCount > 1)
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          var random = SplitMix(state: UInt64(task))
          for step in 0..<8_000 {
            let key = Int.random(in: 0..<6_000, using: &random)
            let tag = key % Self.tagCount
            switch Int.random(in: 0..<20, using: &random) {
            case ..<8:
              // Now and then a load takes its time.
              let begun = stamps.now
              if step % 16 == 0 { invalidate(tag, expires: step % 32 == 0) }
              insert(key, begun)
            case 8: invalidate(tag, expires: step % 2 == 0)
            case 9: store.sweep(budget: 64)
            case 10: store.removeExpired(staleToo: step % 8 == 0)
            case 11: store.remove(key)
            default:
              let floor = floors[tag]
              for begun in [store.value(for: key), store.peek(key)] where begun ?? .max < floor {
                Issue.record("what began at \(begun ?? 0) is read after \(floor)")
              }
            }
          }
        }
      }
    }
    for key in 0..<100 { insert(key, stamps.now) }
    #expect(store.count <= 4_000)
    let counters = store.counters
    let left = RemovalReason.allCases.reduce(UInt64(0)) { $0 + counters[$1] }
    #expect(counters.insertions == left + UInt64(store.count))
    var pinned = 0
    for index in 0..<store.shardCount {
      store.withTable(index) { table in
        var found = 0
        table.forEachPosition { if table.core.table.isPinned($0) { found += 1 } }
        #expect(table.core.table.carried.pinned == found)
        #expect(table.core.table.carried.selectable == table.core.count)
        pinned += found
      }
    }
    #expect(pinned > 0)
    for tag in 0..<Self.tagCount { invalidate(tag, expires: false) }
    while store.sweep(budget: 10_000) > 0 {}
    #expect(store.count == 0)
  }
}
