// The system's clocks: the only place that reads them.
//
// Age counts system sleep. Linux's coarse clock (one 4 ms tick, a tenth of the cost of a precise
// read) stops while the machine sleeps, so an offset to CLOCK_BOOTTIME is added; it is refreshed by
// every precise read. Darwin's approximate raw clock counts sleep by itself.
//
// Imported publicly: a hit of an entry with a deadline reads the coarse clock in the client's copy.
#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#endif
public import Synchronization

@usableFromInline
enum SystemClock {
  /// What is added to the coarse clock of Linux, so that it counts system sleep.
  ///
  /// An object, since whoever reads the clock on a hit keeps the reference: it saves the call that
  /// a global of another module costs.
  @usableFromInline
  final class SleepOffset: Sendable {
    /// In nanoseconds; the least number until the first precise read.
    @usableFromInline let nanoseconds = Atomic<Int64>(.min)

    /// Learns from two readings, of the clock that counts sleep and then of the one that does not.
    ///
    /// Time between the two makes their difference too small and nothing makes it too large, and the
    /// offset itself only grows: so the largest difference is the nearest.
    ///
    /// - Returns: whether the offset was unknown, so that one pair of readings is too few.
    @discardableResult
    func learn(_ withSleep: Int64, _ withoutSleep: Int64) -> Bool {
      let offset = withSleep &- withoutSleep
      let known = nanoseconds.load(ordering: .relaxed)
      if offset > known { nanoseconds.max(offset, ordering: .relaxed) }
      return known == .min
    }
  }

  @usableFromInline static let sleepOffset = SleepOffset()

  /// Nanoseconds of monotonic time that counts system sleep, up to two ticks late; cheap.
  @usableFromInline
  static func coarse() -> Int64 {
    let offset = sleepOffset
    return offset.nanoseconds.load(ordering: .relaxed) == .min ? precise() : coarse(offset)
  }

  /// The same, inlined, once any clock was read before.
  ///
  /// - Parameter offset: ``sleepOffset``.
  /// - Returns: the time.
  @inlinable @inline(__always)
  static func coarse(_ offset: SleepOffset) -> Int64 {
    #if canImport(Darwin)
    return Int64(truncatingIfNeeded: clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW_APPROX))
    #else
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return nanoseconds(time) &+ offset.nanoseconds.load(ordering: .relaxed)
    #endif
  }

  /// Nanoseconds of the same time line, exact.
  @usableFromInline
  static func precise() -> Int64 {
    #if canImport(Darwin)
    return Int64(truncatingIfNeeded: clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW))
    #else
    let now = bootTime()
    if sleepOffset.learn(now, monotonic()) {
      // One of several pairs is read without a preemption in between.
      for _ in 0..<8 { sleepOffset.learn(bootTime(), monotonic()) }
    }
    return now
    #endif
  }

  /// How far the coarse clock may be behind the precise one, in nanoseconds: two ticks, since Linux brings it
  /// up to date once a tick and then by whole ticks only, and a quarter for interrupts that come late.
  static let coarseLateness = 2 * coarseTick + coarseTick / 4

  /// Lifetimes below five ticks are measured by the precise clock.
  static let shortestCoarse = 5 * coarseTick

  /// The tick of the coarse clock, in nanoseconds.
  private static let coarseTick: Int64 = {
    #if canImport(Darwin)
    // It is brought up to date with context switches and interrupts, and nothing says how often.
    return 10_000_000
    #else
    var time = timespec()
    guard unsafe clock_getres(CLOCK_MONOTONIC_COARSE, &time) == 0 else { return 10_000_000 }
    return min(max(nanoseconds(time), 1_000_000), 10_000_000)
    #endif
  }()

  /// Microseconds since 1970-01-01T00:00:00Z.
  static func wall() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
  }

  #if !canImport(Darwin)
  private static func bootTime() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return nanoseconds(time)
  }

  private static func monotonic() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return nanoseconds(time)
  }

  @inlinable @inline(__always)
  static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
  #endif
}
