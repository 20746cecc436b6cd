// The two hands of a manual clock and those who sleep until a moment of the monotonic one: pure
// state, guarded by the clock's lock.
//
// Invariants: the sleepers are sorted by deadline, then by the order in which they came; no deadline
// lies at or before the monotonic hand, except between a jump and the waking of those it passed.
extension ManualClock {
  struct Sleeper {
    let id: UInt64
    let deadline: Int64
    let continuation: CheckedContinuation<Void, any Error>
  }

  struct Timeline {
    static let monotonicOrigin: Int64 = 1_000_000_000_000
    static let wallOrigin: Int64 = 1_893_456_000_000_000  // 2030-01-01T00:00:00Z

    private(set) var monotonic = monotonicOrigin
    private var wallMark = (wall: wallOrigin, monotonic: monotonicOrigin)
    private(set) var sleepers: [Sleeper] = []
    var random: SplitMix64
    private var lastID: UInt64 = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    var wall: Int64 {
      Int64(clamping: Int128(wallMark.wall) + Int128((monotonic - wallMark.monotonic) / 1_000))
    }

    mutating func setWall(_ microseconds: Int64) { wallMark = (microseconds, monotonic) }

    mutating func nextID() -> UInt64 {
      lastID += 1
      return lastID
    }

    /// The moment that lies a duration ahead, at most the end of time.
    func moment(after duration: Duration) -> Int64 {
      let (seconds, attoseconds) = duration.components
      let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
      return Int64(clamping: Int128(monotonic) + max(0, nanoseconds))
    }

    mutating func add(_ sleeper: Sleeper) {
      var low = 0
      var high = sleepers.count
      while low < high {
        let middle = (low + high) / 2
        if sleepers[middle].deadline <= sleeper.deadline { low = middle + 1 } else { high = middle }
      }
      sleepers.insert(sleeper, at: low)
    }

    mutating func removeSleeper(_ id: UInt64) -> Sleeper? {
      sleepers.firstIndex { $0.id == id }.map { sleepers.remove(at: $0) }
    }

    /// Moves to the next deadline up to a moment and returns its sleeper, or to the moment itself.
    mutating func step(to moment: Int64) -> Sleeper? {
      guard let next = sleepers.first, next.deadline <= moment else {
        monotonic = max(monotonic, moment)
        return nil
      }
      monotonic = max(monotonic, next.deadline)
      return sleepers.removeFirst()
    }

    /// Moves to a moment and wakes nobody.
    mutating func jump(to moment: Int64) { monotonic = max(monotonic, moment) }
  }
}
