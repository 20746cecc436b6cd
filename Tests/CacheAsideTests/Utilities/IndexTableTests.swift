import Testing

@testable import CacheAside

@Suite struct IndexTableTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func `finds every linked position after random links and removals`(seed: UInt64) {
    let capacity = 300
    var random = SplitMix(state: seed)
    var kept = RawArray<UInt32>(repeating: 0, count: capacity)
    // Three quarters full, and hashes that crowd together, so that clusters wrap around the end.
    var table = IndexTable(slots: 401)
    var linked: Set<Int> = []
    for _ in 0..<20_000 {
      let position = Int.random(in: 0..<capacity, using: &random)
      if linked.contains(position) {
        let slot = table.slot(of: position, hash: kept[position])
        table.unlink(slot, hashes: PositionHashes(kept: kept))
        linked.remove(position)
      } else {
        let hash = UInt32.random(in: 0..<40, using: &random) &* 107_374_182 | UInt32(position)
        kept[position] = hash
        table.link(position, tag: 0x1500_0000, hash: hash)
        linked.insert(position)
      }
    }
    for position in linked {
      let slot = table.slot(of: position, hash: kept[position])
      #expect(IndexTable.position(table.words[slot]) == position)
      #expect(table.words[slot] & IndexTable.tagMask == 0x1500_0000)
    }
    let words = (0..<table.words.count).filter { table.words[$0] != 0 }.count
    #expect(words == linked.count)
  }

  @Test func `keeps tags and counts when it is resized`() {
    var kept = RawArray<UInt32>(repeating: 0, count: 10)
    var table = IndexTable(positions: 10)
    for position in 0..<10 {
      kept[position] = UInt32(position) &* 0x1234_5678
      table.link(position, tag: UInt32(position) << 24, hash: kept[position])
    }
    table.words[table.slot(of: 4, hash: kept[4])] += 2 * IndexTable.countUnit
    table.resize(positions: 500, hashes: PositionHashes(kept: kept))
    for position in 0..<10 {
      let slot = table.slot(of: position, hash: kept[position])
      #expect(table.words[slot] & IndexTable.tagMask == UInt32(position) << 24)
      #expect(table.takeCount(slot) == (position == 4 ? 2 : 0))
      #expect(table.takeCount(slot) == 0)
    }
  }
}
