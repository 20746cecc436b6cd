// Which records were used last in this process, exactly.
//
// What: for each of the 256 shards, when the records of some names were last read or written, by the clock
// and in the order of this process. The access time of a file is set at most every ten minutes, and tells
// no two uses within a tick apart; so eviction asks here as well. Invariants: at most 256 names a shard,
// 24 bytes each, 2 MB in all; when a shard is full the older half of its uses is forgotten, and those
// records go by their files' access times again. A name is noted by its checksum: another one of the
// same number is taken for used, too. Its locks are held over nothing but this. Called by the disk
// store.
import Synchronization

final class DiskUses: Sendable {
  struct Use: Hashable, Sendable {
    /// In microseconds since 1970.
    var time: Int64
    /// Which use of this process it was, from one.
    var order: UInt64
  }

  /// Of how many names of a shard the last use is known.
  static let mostNames = 256

  private let shards = DiskShards([UInt64: Use]())
  private let count = Atomic<UInt64>(0)

  /// Notes that a record was read or written.
  func note(_ name: String, in shard: Int, at now: Int64) {
    let name = DiskNote.checksum(name)
    let order = count.wrappingAdd(1, ordering: .relaxed).newValue
    shards[shard].value.withLock { uses in
      if uses.count >= Self.mostNames, uses[name] == nil { Self.forgetOlderHalf(of: &uses) }
      uses[name] = Use(time: now, order: order)
    }
  }

  /// The last use of a record, if it is known.
  func use(of name: UInt64, in shard: Int) -> Use? {
    guard shards.areUsed else { return nil }
    return shards[shard].value.withLock { $0[name] }
  }

  private static func forgetOlderHalf(of uses: inout [UInt64: Use]) {
    let orders = uses.values.map(\.order).sorted()
    let middle = orders[orders.count / 2]
    uses = uses.filter { $0.value.order >= middle }
  }
}
