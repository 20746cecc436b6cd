// When entries were stored, stop being fresh and stop being kept: parallel arrays by position.
//
// Normally a time is 32 bits: ticks of 2²² ns (4.2 ms) since an origin thirty days before the table
// was made, which lasts for another 178 days. The arrays of deadlines and of later ends of keeping
// exist only once an entry has one. The table turns exact, three Int64 of nanoseconds an entry, for
// good when the clock is exact, a lifetime is below 10 ms, or a time does not fit.
//
// Invariants: deadlines are rounded down, so nothing is served late by more than the clock's own
// tick; `Int64.max` is never, in ticks `UInt32.max`.

/// The exact times of one entry, in monotonic nanoseconds.
struct ExactTimes: BitwiseCopyable {
  var storedAt: Int64 = 0
  var deadline = Int64.max
  var keptUntil = Int64.max
}

@safe @usableFromInline
struct EntryTimes: ~Copyable {
  /// Deadlines in ticks; empty while no entry has one.
  @usableFromInline var deadlines: RawArray<UInt32>
  @usableFromInline let origin: Int64
  var stored: RawArray<UInt32>
  var kept: RawArray<UInt32>
  var exact: RawArray<ExactTimes>
  private(set) var isExact: Bool
  private var capacity = 0

  static let tickBits: Int64 = 22
  private static let past: Int64 = 30 * 86_400 * 1_000_000_000
  private static let shortest: Int64 = 10_000_000

  init(now: Int64, isExact: Bool) {
    origin = now &- Self.past
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
      return
    }
    stored = stored.resized(to: positions, filling: 0)
    if !deadlines.isEmpty { deadlines = deadlines.resized(to: positions, filling: .max) }
    if !kept.isEmpty { kept = kept.resized(to: positions, filling: .max) }
  }

  /// Whether an entry is surely fresh; in ticks, which must be in use.
  ///
  /// For an entry without a deadline this is so until ticks run out, 208 days after the origin;
  /// then the exact form has to tell.
  @inlinable @inline(__always)
  func isFresh(_ position: Int, now: Int64) -> Bool {
    (now &- origin) &>> 22 < Int64(deadlines[position])
  }

  /// Whether an entry is fresh, in whatever form times are kept.
  @usableFromInline @inline(never)
  func isFreshExactly(_ position: Int, now: Int64) -> Bool {
    let end = deadline(position)
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
    return deadlines.isEmpty ? .max : nanoseconds(deadlines[position])
  }

  func keptUntil(_ position: Int) -> Int64 {
    if isExact { return exact[position].keptUntil }
    return kept.isEmpty ? deadline(position) : nanoseconds(kept[position])
  }

  // MARK: Writing

  mutating func set(_ position: Int, storedAt: Int64, deadline: Int64, keptUntil: Int64) {
    // The difference of two times wraps around at worst to a negative one.
    let isShort = deadline > storedAt && 0..<Self.shortest ~= deadline &- storedAt
    if !isExact && isShort { turnExact() }
    replace(position, storedAt: storedAt, deadline: deadline, keptUntil: keptUntil)
  }

  /// The same for a deadline that is no lifetime: that of an entry which was expired by hand.
  mutating func replace(_ position: Int, storedAt: Int64, deadline: Int64, keptUntil: Int64) {
    if !isExact && !fits(storedAt, deadline, keptUntil) { turnExact() }
    if isExact {
      exact[position] = ExactTimes(
        storedAt: storedAt,
        deadline: deadline,
        keptUntil: keptUntil
      )
      return
    }
    stored[position] = tick(storedAt)
    if deadline != .max && deadlines.isEmpty {
      deadlines = RawArray(repeating: .max, count: capacity)
    }
    if !deadlines.isEmpty { deadlines[position] = tick(deadline) }
    if keptUntil != deadline && kept.isEmpty { copyDeadlinesToKept() }
    if !kept.isEmpty { kept[position] = tick(keptUntil) }
  }

  private func tick(_ time: Int64) -> UInt32 {
    time == .max ? .max : UInt32(truncatingIfNeeded: (time - origin) >> Self.tickBits)
  }

  private func fits(_ storedAt: Int64, _ deadline: Int64, _ keptUntil: Int64) -> Bool {
    isInRange(storedAt) && (deadline == .max || isInRange(deadline))
      && (keptUntil == .max || isInRange(keptUntil))
  }

  private func isInRange(_ time: Int64) -> Bool {
    let (since, overflow) = time.subtractingReportingOverflow(origin)
    return !overflow && since >= 0 && since >> Self.tickBits < Int64(UInt32.max)
  }

  private mutating func copyDeadlinesToKept() {
    kept = RawArray(repeating: .max, count: capacity)
    for position in 0..<deadlines.count { kept[position] = deadlines[position] }
  }

  private mutating func turnExact() {
    var times = RawArray(repeating: ExactTimes(), count: capacity)
    for position in 0..<capacity {
      times[position] = ExactTimes(
        storedAt: storedAt(position),
        deadline: deadline(position),
        keptUntil: keptUntil(position)
      )
    }
    exact = times
    isExact = true
    stored = RawArray(repeating: 0, count: 0)
    deadlines = RawArray(repeating: 0, count: 0)
    kept = RawArray(repeating: 0, count: 0)
  }
}
