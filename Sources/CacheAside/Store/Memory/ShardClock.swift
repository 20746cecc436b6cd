/// The clock that the shards of a store need; what a hit with a coarse deadline pays is one call.
@usableFromInline
enum ShardClock {
  /// The time as a hit reads it, while some shard has a deadline.
  ///
  /// Nothing is asked of the flags but whether there are any: only a shard whose deadlines are
  /// coarse takes this time for its own, and coarse deadlines are on the system's clock.
  /// Without any it is a time at which every deadline is over, and not so late that the distance
  /// to a table's origin overflows.
  @inlinable @inline(__always)
  static func hitTime(_ offset: SystemClock.SleepOffset, _ flags: UInt32) -> Int64 {
    flags == 0 ? .max / 2 : SystemClock.coarse(offset)
  }

  /// The time for a store whose shards have these flags together; anything while none has a
  /// deadline.
  @usableFromInline
  static func now(_ time: TimeSource, _ flags: UInt32) -> Int64 {
    if flags & PositionTable.preciseFlag != 0 { return time.precise }
    return flags & PositionTable.coarseFlag != 0 ? time.coarse : .min
  }
}
