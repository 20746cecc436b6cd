// When entries were stored, need attention, stop being fresh and stop being kept: parallel arrays by
// position.
//
// Normally a time is 32 bits: ticks of 2²² ns (4.2 ms) since an origin thirty days before the table
// was made, which lasts for another 178 days. The arrays of deadlines and of later ends of keeping
// exist only once an entry has one. The table turns exact, three Int64 of nanoseconds an entry, for
// good when the clock is exact, a lifetime is below five ticks of the system's coarse
// clock, or a time does not fit.
//
// An entry may need attention before its deadline: from then on a hit goes the slow way. What a hit
// compares is the earlier of the two; once an entry has such a moment, the deadlines proper are in
// an array of their own.
//
// Invariants: ticks are judged by the coarse clock, which may be two ticks of its own behind. So every end
// that is kept in ticks is earlier by as much and rounded down: nothing is served late. All ends become
// ticks in `endTick`. `Int64.max` is never, in ticks `UInt32.max`. An entry without a moment of attention has that
// of its deadline.

/// The exact times of one entry, in monotonic nanoseconds.
struct ExactTimes: BitwiseCopyable {
  var storedAt: Int64 = 0
  var deadline = Int64.max
  var keptUntil = Int64.max
}

@safe @usableFromInline
struct EntryTimes: ~Copyable {
  /// Until when a hit needs no thought, in ticks: deadlines, or earlier moments of attention; empty
  /// while no entry has either.
  @usableFromInline var deadlines: RawArray<UInt32>
  @usableFromInline let origin: Int64
  var stored: RawArray<UInt32>
  var kept: RawArray<UInt32>
  var exact: RawArray<ExactTimes>
  var isExact: Bool
  var capacity = 0
  /// The deadlines proper, in ticks; empty while no entry needs attention before its own.
  var ends = RawArray<UInt32>(repeating: 0, count: 0)
  /// Moments of attention in the exact form, at most the deadline; empty as ``ends``.
  var exactAttention = RawArray<Int64>(repeating: 0, count: 0)

  static let tickBits: Int64 = 22
  private static let past: Int64 = 30 * 86_400 * 1_000_000_000
  /// How far the clock that judges ticks may be behind, in nanoseconds.
  private let lateness: Int64

  init(now: Int64, isExact: Bool, lateness: Int64 = SystemClock.coarseLateness) {
    origin = now &- Self.past
    self.lateness = lateness
    self.isExact = isExact
    deadlines = RawArray(repeating: 0, count: 0)
    stored = RawArray(repeating: 0, count: 0)
    kept = RawArray(repeating: 0, count: 0)
    exact = RawArray(repeating: ExactTimes(), count: 0)
  }

  mutating func resize(positions: Int) {
    capacity = positions
    if isExact {
      exact = exact.resized(to: positions, filling: ExactTimes())
      if !exactAttention.isEmpty {
        exactAttention = exactAttention.resized(to: positions, filling: .max)
      }
      return
    }
    stored = stored.resized(to: positions, filling: 0)
    if !deadlines.isEmpty { deadlines = deadlines.resized(to: positions, filling: .max) }
    if !kept.isEmpty { kept = kept.resized(to: positions, filling: .max) }
    if !ends.isEmpty { ends = ends.resized(to: positions, filling: .max) }
  }

  /// Whether an entry is surely fresh and needs no attention; in ticks, which must be in use.
  ///
  /// For an entry without a deadline this is so until ticks run out, 208 days after the origin;
  /// then the exact form has to tell.
  @inlinable @inline(__always)
  func isFresh(_ position: Int, now: Int64) -> Bool {
    (now &- origin) &>> 22 < Int64(deadlines[position])
  }

  /// Whether an entry is fresh and needs no attention, in whatever form times are kept.
  @usableFromInline @inline(never)
  func isFreshExactly(_ position: Int, now: Int64) -> Bool {
    let end = attention(position)
    return end == .max || now < end
  }

  // MARK: Reading

  private func nanoseconds(_ tick: UInt32) -> Int64 {
    tick == .max ? .max : origin + Int64(tick) << Self.tickBits
  }

  func storedAt(_ position: Int) -> Int64 {
    isExact ? exact[position].storedAt : nanoseconds(stored[position])
  }

  func deadline(_ position: Int) -> Int64 {
    if isExact { return exact[position].deadline }
    return deadlines.isEmpty ? .max : nanoseconds(end(position))
  }

  /// When an entry needs attention, at the latest at its deadline.
  func attention(_ position: Int) -> Int64 {
    if !isExact { return deadlines.isEmpty ? .max : nanoseconds(deadlines[position]) }
    return exactAttention.isEmpty ? exact[position].deadline : exactAttention[position]
  }

  func keptUntil(_ position: Int) -> Int64 {
    if isExact { return exact[position].keptUntil }
    return kept.isEmpty ? deadline(position) : nanoseconds(kept[position])
  }

  /// The deadline proper in ticks, when there are any.
  func end(_ position: Int) -> UInt32 { ends.isEmpty ? deadlines[position] : ends[position] }

  // MARK: Writing

  mutating func set(
    _ position: Int,
    storedAt: Int64,
    deadline: Int64,
    keptUntil: Int64,
    attentionAt: Int64 = .max
  ) {
    // The difference of two times wraps around at worst to a negative one.
    let isShort = deadline > storedAt && 0..<SystemClock.shortestCoarse ~= deadline &- storedAt
    if !isExact && isShort { turnExact() }
    replace(
      position,
      storedAt: storedAt,
      deadline: deadline,
      keptUntil: keptUntil,
      attentionAt: attentionAt
    )
  }

  /// The same for a deadline that is no lifetime: that of an entry which was expired by hand.
  ///
  /// In a rewrite the ends may be those that the entry has, as they were read.
  mutating func replace(
    _ position: Int,
    storedAt: Int64,
    deadline: Int64,
    keptUntil: Int64,
    attentionAt: Int64 = .max,
    isRewrite: Bool = false
  ) {
    if !isExact && !fits(storedAt, deadline, keptUntil) { turnExact() }
    let attention = min(max(attentionAt, storedAt), deadline)
    if isExact {
      exact[position] = ExactTimes(
        storedAt: storedAt,
        deadline: deadline,
        keptUntil: keptUntil
      )
      if attention != deadline && exactAttention.isEmpty { copyDeadlinesToAttention() }
      if !exactAttention.isEmpty { exactAttention[position] = attention }
      return
    }
    let known = isRewrite ? (end: endIfAny(position), kept: keptIfAny(position)) : nil
    stored[position] = tick(storedAt)
    if attention != .max && deadlines.isEmpty {
      deadlines = RawArray(repeating: .max, count: capacity)
    }
    if attention != deadline && ends.isEmpty { copyDeadlinesToEnds() }
    if !deadlines.isEmpty {
      let end = endTick(deadline, knownAs: known?.end)
      deadlines[position] = min(nearestTick(attention), end)
      if !ends.isEmpty { ends[position] = end }
    }
    if keptUntil != deadline && kept.isEmpty { copyEndsToKept() }
    if !kept.isEmpty { kept[position] = endTick(keptUntil, knownAs: known?.kept) }
  }

  func tick(_ time: Int64) -> UInt32 {
    time == .max ? .max : UInt32(truncatingIfNeeded: (time - origin) >> Self.tickBits)
  }

  /// The tick of an end, early enough for a clock that is behind; the time need not fit.
  func endTick(_ time: Int64) -> UInt32 {
    if time == .max { return .max }
    let (early, overflow) = time.subtractingReportingOverflow(lateness)
    if overflow { return 0 }
    return nearestTick(early)
  }

  /// The same for an end that may be the one that is known: its tick stays, and is no earlier again.
  private func endTick(_ time: Int64, knownAs tick: UInt32?) -> UInt32 {
    if let tick, nanoseconds(tick) == time { return tick }
    return endTick(time)
  }

  private func endIfAny(_ position: Int) -> UInt32 { deadlines.isEmpty ? .max : end(position) }

  private func keptIfAny(_ position: Int) -> UInt32 {
    kept.isEmpty ? endIfAny(position) : kept[position]
  }

  /// The tick of a time that need not fit: the last one that is not never.
  func nearestTick(_ time: Int64) -> UInt32 {
    time == .max || isInRange(time) ? tick(time) : time < origin ? 0 : .max - 1
  }

  private func fits(_ storedAt: Int64, _ deadline: Int64, _ keptUntil: Int64) -> Bool {
    isInRange(storedAt) && (deadline == .max || isInRange(deadline))
      && (keptUntil == .max || isInRange(keptUntil))
  }

  private func isInRange(_ time: Int64) -> Bool {
    let (since, overflow) = time.subtractingReportingOverflow(origin)
    return !overflow && since >= 0 && since >> Self.tickBits < Int64(UInt32.max)
  }
}
