/// The clock that the shards of a store need, read out of line so that the hit path stays small.
@usableFromInline
enum ShardClock {
  /// The time for a store whose shards have these flags together.
  ///
  /// Anything while none has a deadline. A clock of the caller's own is exact in both forms.
  @usableFromInline @inline(never)
  static func now(_ time: TimeSource, _ flags: UInt32) -> Int64 {
    if flags & PositionTable.preciseFlag != 0 { return time.precise }
    if flags & PositionTable.coarseFlag != 0 { return time.coarse }
    return .min
  }
}
