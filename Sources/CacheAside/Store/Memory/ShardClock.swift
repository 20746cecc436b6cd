/// The clock that the shards of a store need; what a hit with a coarse deadline pays is one call.
@usableFromInline
enum ShardClock {
  /// The time for a store whose shards have these flags together.
  ///
  /// Anything while none has a deadline.
  @inlinable @inline(__always)
  static func now(_ time: TimeSource, _ flags: UInt32) -> Int64 {
    if flags == 0 { return .min }
    // Deadlines are in ticks with the system's clock only.
    return flags == PositionTable.coarseFlag ? SystemClock.coarse() : other(time, flags)
  }

  @usableFromInline @inline(never)
  static func other(_ time: TimeSource, _ flags: UInt32) -> Int64 {
    if flags & PositionTable.preciseFlag != 0 { return time.precise }
    return flags & PositionTable.coarseFlag != 0 ? time.coarse : .min
  }
}
