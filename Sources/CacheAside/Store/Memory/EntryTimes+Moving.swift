// How times move after they were set: to other forms, and later.

extension EntryTimes {
  /// Moves the deadline of an entry later, and the end of keeping with it.
  ///
  /// In ticks, the entry needs attention again from a moment on.
  mutating func prolong(_ position: Int, until deadline: Int64, attentionAt: Int64) {
    if isExact {
      let old = exact[position]
      guard deadline > old.deadline else { return }
      exact[position].deadline = deadline
      exact[position].keptUntil = Lifetime.sum(deadline, old.keptUntil - old.deadline)
      if !exactAttention.isEmpty { exactAttention[position] = deadline }
      return
    }
    let old = end(position)
    let new = endTick(deadline)
    if ends.isEmpty { copyDeadlinesToEnds() }
    if new > old {
      moveKept(position, by: new - old)
      ends[position] = new
    }
    deadlines[position] = min(ends[position], nearestTick(attentionAt))
  }

  private mutating func moveKept(_ position: Int, by ticks: UInt32) {
    if !kept.isEmpty && kept[position] != .max {
      let (later, overflow) = kept[position].addingReportingOverflow(ticks)
      kept[position] = overflow ? .max - 1 : min(later, .max - 1)
    }
  }

  /// Moves the moment of attention of an entry later, at most to its deadline.
  mutating func postponeAttention(_ position: Int, until moment: Int64) {
    if isExact {
      guard !exactAttention.isEmpty else { return }
      let later = max(moment, exactAttention[position])
      exactAttention[position] = min(later, exact[position].deadline)
    } else if !ends.isEmpty {
      let later = max(nearestTick(moment), deadlines[position])
      deadlines[position] = min(later, ends[position])
    }
  }

  /// Moves the moment of attention of an entry earlier.
  mutating func advanceAttention(_ position: Int, to moment: Int64) {
    if isExact {
      if exactAttention.isEmpty { copyDeadlinesToAttention() }
      exactAttention[position] = min(exactAttention[position], moment)
      return
    }
    if deadlines.isEmpty { deadlines = RawArray(repeating: .max, count: capacity) }
    if ends.isEmpty { copyDeadlinesToEnds() }
    deadlines[position] = min(deadlines[position], nearestTick(moment))
  }

  mutating func copyEndsToKept() {
    kept = RawArray(repeating: .max, count: capacity)
    for position in 0..<deadlines.count { kept[position] = end(position) }
  }

  mutating func copyDeadlinesToEnds() {
    ends = RawArray(repeating: .max, count: capacity)
    for position in 0..<deadlines.count { ends[position] = deadlines[position] }
  }

  mutating func copyDeadlinesToAttention() {
    exactAttention = RawArray(repeating: .max, count: capacity)
    for position in 0..<capacity { exactAttention[position] = exact[position].deadline }
  }

  mutating func turnExact() {
    var times = RawArray(repeating: ExactTimes(), count: capacity)
    for position in 0..<capacity {
      times[position] = ExactTimes(
        storedAt: storedAt(position),
        deadline: deadline(position),
        keptUntil: keptUntil(position)
      )
    }
    if !ends.isEmpty {
      var moments = RawArray(repeating: Int64.max, count: capacity)
      for position in 0..<capacity { moments[position] = attention(position) }
      exactAttention = moments
    }
    exact = times
    isExact = true
    stored = RawArray(repeating: 0, count: 0)
    deadlines = RawArray(repeating: 0, count: 0)
    kept = RawArray(repeating: 0, count: 0)
    ends = RawArray(repeating: 0, count: 0)
  }
}
