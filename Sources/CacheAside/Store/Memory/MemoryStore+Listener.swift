// Telling the removal listener: outside every lock, in order for each key, by one thread a shard.
//
// While a clear or a trim goes on nobody tells: what the listener stores would be cleared too, or
// keep a trim from ever ending. Its notices wait, without a bound, and are told when it is over.
import Synchronization

extension MemoryStore {
  /// Keeps what is removed from now on from being told, until ``releaseNotices()``.
  @usableFromInline
  func holdNotices() {
    if listener != nil { holds.add(1, ordering: .sequentiallyConsistent) }
  }

  /// Tells what was held, unless somebody else holds.
  @usableFromInline
  func releaseNotices() {
    guard listener != nil,
      holds.subtract(1, ordering: .sequentiallyConsistent).newValue == 0
    else { return }
    for index in 0...shardMask { tellListener(index) }
  }

  /// Tells the listener what a shard has queued, unless another thread is at it.
  @usableFromInline
  func tellListener(_ shard: Int) {
    guard let listener else { return }
    var isMine = false
    while true {
      let notices = withTable(shard) { table in
        // Looked at under the lock: whoever holds did so before removing anything.
        table.takeNotices(&isMine, isHeld: holds.load(ordering: .sequentiallyConsistent) > 0)
      }
      if notices.isEmpty { return }
      for notice in notices {
        ListenerCall.run(after: notice.generation) {
          listener(notice.slot.key, notice.slot.value, notice.reason)
        }
      }
    }
  }
}

extension MemoryTable {
  /// Takes the queue for the one thread that tells; empty for all others, at the end, and while
  /// notices are held.
  mutating func takeNotices(_ isMine: inout Bool, isHeld: Bool) -> [Notice] {
    if isTelling && !isMine { return [] }
    let taken = isHeld ? [] : notices
    if !isHeld { notices = [] }
    isTelling = !taken.isEmpty
    isMine = isTelling
    return taken
  }
}
