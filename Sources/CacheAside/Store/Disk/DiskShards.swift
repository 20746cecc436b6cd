// A value behind a lock for each of the 256 shards.
//
// What: the locks are made together by the first use of one, so that opening a store makes none.
// Invariants: a shard's lock is the same for as long as this object lives. Called by the totals and
// the index of the disk store.
import Synchronization

final class DiskShards<Value: Sendable>: Sendable {
  final class Cell: Sendable {
    let value: Lock<Value>

    init(_ initial: Value) { value = Lock(initial) }
  }

  private final class Table: Sendable {
    let cells: [Cell]

    init(_ initial: Value) {
      cells = (0..<DiskLayout.shardCount).map { _ in Cell(initial) }
    }
  }

  private let initial: Value
  private let table = LazyPointer<Table>()

  /// Begins with the same value in every shard.
  init(_ initial: Value) { self.initial = initial }

  /// Whether some shard was used.
  var areUsed: Bool { table.address.load(ordering: .acquiring) != 0 }

  subscript(shard: Int) -> Cell {
    if let cell = table.with({ $0.cells[shard] }, orElse: { nil }) { return cell }
    return table.storeIfNil(Table(initial)).cells[shard]
  }
}
