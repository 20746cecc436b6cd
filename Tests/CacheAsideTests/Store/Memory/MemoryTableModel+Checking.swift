import Testing

@testable import CacheAside

extension MemoryTableModel {
  /// What the entries come to that are there.
  private struct Sums: Equatable {
    var count = 0
    var cost = 0
    var deadlines = 0
    var selectable = 0
    var pinned = 0
    var pinnedCost = 0
  }

  /// Index, queues, costs, limits, times, terms and their counts agree with one another and with what is
  /// known.
  func check() {
    var positions: Set<Int> = []
    var sums = Sums()
    table.forEachPosition { position in
      #expect(positions.insert(position).inserted)
      #expect(position < table.core.table.used)
      let (key, value) = unsafe (table.entries[position].key, table.entries[position].value)
      #expect(table.position(table.find(key, hash(key))) == position)
      guard let known = known[key] else {
        Issue.record("an entry is there that was removed")
        return
      }
      #expect(known.value == value)
      #expect(known.cost == table.core.cost(position))
      #expect(known.terms === table.core.table.terms[position])
      expectTime(table.core.deadline(position), known.deadline)
      expectTime(table.core.table.times.attention(position), known.attention)
      sums.count += 1
      sums.cost += table.core.cost(position)
      if table.core.deadline(position) != .max { sums.deadlines += 1 }
      if known.terms?.isSelectable == true { sums.selectable += 1 }
      if known.isPinned {
        sums.pinned += 1
        sums.pinnedCost += known.cost
      }
    }
    #expect(
      sums
        == Sums(
          count: table.core.count,
          cost: table.core.totalCost,
          deadlines: table.core.table.deadlineCount,
          selectable: table.core.table.carried.selectable,
          pinned: table.core.table.carried.pinned,
          pinnedCost: Int(table.core.table.carried.pinnedCost)
        )
    )
    #expect(sums.count <= limits.countLimit ?? .max)
    #expect(sums.cost <= limits.costLimit ?? .max)
    guard limits != .unlimited else { return }
    #expect(table.core.queued == sums.count - sums.pinned)
    let queued = table.core.queues.window.cost + table.core.queues.main.cost
    #expect(queued == sums.cost - sums.pinnedCost)
  }

  /// A time as the table keeps it: never late, and earlier by less than a tick beyond what the clock
  /// that judges it may be behind.
  private func expectTime(_ kept: Int64, _ known: Int64) {
    let earliest = Self.tick + SystemClock.coarseLateness
    if known == .max ? kept == .max : 0..<earliest ~= known &- kept { return }
    Issue.record("the time \(known) is kept as \(kept)")
  }
}
