import Testing

@testable import CacheAside

// Comparisons are written out: a value that cannot be copied cannot be taken apart by `#expect`.
@Suite struct EntryTimesTests {
  private static let second: Int64 = 1_000_000_000
  private static let day = 86_400 * second
  private static let tick: Int64 = 1 << 22
  private let now = 400 * day

  private func times() -> EntryTimes {
    var times = EntryTimes(now: now, isExact: false)
    times.resize(positions: 4)
    return times
  }

  @Test func `rounds down to ticks and keeps never`() {
    var times = times()
    times.set(0, storedAt: now, deadline: .max, keptUntil: .max)
    #expect(times.deadlines.count == 0)
    let deadline = now + Self.second
    times.set(1, storedAt: now + 7, deadline: deadline, keptUntil: deadline)
    #expect(times.isExact == false)
    #expect(times.kept.count == 0)
    #expect(times.deadline(0) == .max)
    #expect(times.isFresh(0, now: now + 177 * 86_400 * 1_000_000_000) == true)
    // When ticks have run out, only the exact form tells, and so does the time of no clock.
    #expect(times.isFresh(0, now: .max / 2) == false)
    #expect(times.isFreshExactly(0, now: .max - 1) == true)
    let kept = (times.storedAt(1), times.deadline(1), times.keptUntil(1))
    #expect(kept.0 <= now + 7 && kept.0 > now - Self.tick)
    #expect(kept.1 <= deadline && kept.1 > deadline - Self.tick)
    #expect(kept.2 == kept.1)
    #expect(times.isFresh(1, now: deadline - 2 * Self.tick) == true)
    #expect(times.isFresh(1, now: deadline) == false)
  }

  @Test func `is exact for lifetimes below ten milliseconds and converts what is there`() {
    var times = times()
    let later = now + Self.second
    times.set(0, storedAt: now, deadline: later, keptUntil: later + 3 * Self.second)
    times.set(1, storedAt: now, deadline: .max, keptUntil: .max)
    let before = (times.deadline(0), times.keptUntil(0), times.storedAt(0))
    times.set(2, storedAt: now, deadline: now + 9_999_999, keptUntil: now + 9_999_999)
    #expect(times.isExact == true)
    #expect(times.isFreshExactly(2, now: now + 9_999_998) == true)
    #expect(times.isFreshExactly(2, now: now + 9_999_999) == false)
    #expect(times.deadline(0) == before.0)
    #expect(times.keptUntil(0) == before.1)
    #expect(times.storedAt(0) == before.2)
    #expect(times.deadline(1) == .max)
    #expect(times.isFreshExactly(1, now: .max - 1) == true)
  }

  @Test func `stays in ticks when an entry is expired by hand soon after it was stored`() {
    var times = times()
    times.set(0, storedAt: now, deadline: .max, keptUntil: .max)
    times.replace(0, storedAt: now, deadline: now + 1, keptUntil: .max)
    #expect(times.isExact == false)
    #expect(times.isFresh(0, now: now + 1) == false)
    #expect(times.keptUntil(0) == .max)
  }

  @Test(arguments: [0, -31, 179], [1, 200])
  func `is exact when a time does not fit in ticks`(stored: Int64, lifetime: Int64) {
    var times = times()
    let storedAt = now + stored * Self.day
    let deadline = storedAt + lifetime * Self.day
    times.set(0, storedAt: storedAt, deadline: deadline, keptUntil: deadline)
    #expect(times.isExact == (stored != 0 || lifetime != 1))
    #expect(abs(times.storedAt(0) - storedAt) < Self.tick)
    #expect(abs(times.deadline(0) - deadline) < Self.tick)
  }

  @Test func `keeps later ends of keeping only when there are any`() {
    var times = times()
    let deadline = now + Self.second
    times.set(0, storedAt: now, deadline: deadline, keptUntil: deadline)
    times.set(1, storedAt: now, deadline: deadline, keptUntil: .max)
    #expect(times.keptUntil(0) == times.deadline(0))
    #expect(times.keptUntil(1) == .max)
    times.resize(positions: 8)
    #expect(times.keptUntil(1) == .max)
    #expect(times.deadline(7) == .max)
  }
}
