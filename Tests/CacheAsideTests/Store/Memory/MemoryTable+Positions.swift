@testable import CacheAside

extension MemoryTable {
  /// Visits the positions of all resident entries.
  func forEachPosition(_ body: (Int) -> Void) {
    for slot in 0..<core.table.index.words.count where core.table.index.words[slot] != 0 {
      body(position(slot))
    }
  }
}
