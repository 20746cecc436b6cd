import Synchronization
import Testing

@testable import CacheAside

// Comparisons are written out: a value that cannot be copied cannot be taken apart by `#expect`.
@Suite struct EntryTimesTests {
  private static let second: Int64 = 1_000_000_000
  private static let day = 86_400 * second
  private static let tick: Int64 = 1 << 22
  private let now = 400 * day

  private func times() -> EntryTimes {
    var times = EntryTimes(now: now, isExact: false, lateness: 0)
    times.resize(positions: 4)
    return times
  }

  @Test(arguments: [Int64(1_250_000), 5_000_000, 12_500_000])
  func `nothing is fresh or kept too long for a clock that is behind (B402)`(lateness: Int64) {
    var times = EntryTimes(now: now, isExact: false, lateness: lateness)
    times.resize(positions: 4)
    var (lateHits, lateKeeps, earlyEnds) = (0, 0, 0)
    // Phases of a table's tick, in steps of a ten-thousandth.
    for phase in stride(from: Int64(0), to: Self.tick, by: 419) {
      let deadline = now + 2 * Self.second + phase
      let kept = deadline + Self.second
      times.set(0, storedAt: now + phase, deadline: deadline, keptUntil: kept)
      // By hand, by idleness, and with a moment of attention before it.
      times.replace(1, storedAt: now, deadline: deadline, keptUntil: kept)
      times.set(2, storedAt: now, deadline: now + Self.second, keptUntil: now + Self.second)
      times.prolong(2, until: deadline, attentionAt: .max)
      times.set(3, storedAt: now, deadline: deadline, keptUntil: kept, attentionAt: deadline - 1)
      // The time is the deadline; the clock shows one that is as far behind as it may be.
      for position in 0..<4 {
        if times.isFresh(position, now: deadline - lateness) { lateHits += 1 }
        if times.deadline(position) > deadline - lateness { lateHits += 1 }
        if !times.isFresh(position, now: deadline - lateness - 2 * Self.tick) { earlyEnds += 1 }
        if position != 2, times.keptUntil(position) > kept - lateness { lateKeeps += 1 }
      }
    }
    #expect((lateHits, lateKeeps, earlyEnds) == (0, 0, 0))
  }

  @Test func `the system's tick is known, and short lifetimes are exact (B402)`() {
    let tick = SystemClock.shortestCoarse / 5
    #expect(tick >= 1_000_000 && tick <= 10_000_000)
    // It is brought up to date once a tick, by whole ticks.
    #expect(SystemClock.coarseLateness >= 2 * tick)
    var times = EntryTimes(now: now, isExact: false)
    times.resize(positions: 1)
    let deadline = now + SystemClock.shortestCoarse - 1
    times.set(0, storedAt: now, deadline: deadline, keptUntil: deadline)
    #expect(times.isExact == true)
    #expect(times.deadline(0) == deadline)
  }

  @Test func `the coarse clock's offset is the largest difference that was seen (B387)`() {
    let offset = SystemClock.SleepOffset()
    // A preemption between the two readings makes the difference smaller.
    #expect(offset.learn(1_000_000_000, 400_000_000) == true)
    #expect(offset.nanoseconds.load(ordering: .relaxed) == 600_000_000)
    #expect(offset.learn(2_000_000_000, 1_390_000_000) == false)
    #expect(offset.nanoseconds.load(ordering: .relaxed) == 610_000_000)
    offset.learn(3_000_000_000, 2_430_000_000)
    #expect(offset.nanoseconds.load(ordering: .relaxed) == 610_000_000)
    // The machine has slept.
    offset.learn(9_000_000_000, 4_000_000_000)
    #expect(offset.nanoseconds.load(ordering: .relaxed) == 5_000_000_000)
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

  @Test func `is exact for lifetimes below five ticks and converts what is there`() {
    var times = times()
    let later = now + Self.second
    let short = SystemClock.shortestCoarse - 1
    times.set(0, storedAt: now, deadline: later, keptUntil: later + 3 * Self.second)
    times.set(1, storedAt: now, deadline: .max, keptUntil: .max)
    let before = (times.deadline(0), times.keptUntil(0), times.storedAt(0))
    times.set(2, storedAt: now, deadline: now + short, keptUntil: now + short)
    #expect(times.isExact == true)
    #expect(times.isFreshExactly(2, now: now + short - 1) == true)
    #expect(times.isFreshExactly(2, now: now + short) == false)
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
