// The system's clocks: the only place that reads them.
//
// Age counts system sleep. Linux's coarse clock (one 4 ms tick, a tenth of the cost of a precise
// read) stops while the machine sleeps, so an offset to CLOCK_BOOTTIME is added; it is refreshed by
// every precise read. Darwin's approximate raw clock counts sleep by itself.
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif
import Synchronization

@usableFromInline
enum SystemClock {
  #if !canImport(Darwin)
  /// Nanoseconds to add to the coarse monotonic clock, so that it counts system sleep.
  ///
  /// The least number until the first precise read: a constant, so that reading it needs no check
  /// for its initialisation.
  private static let sleepOffset = Atomic<Int64>(.min)
  #endif

  /// Nanoseconds of monotonic time that counts system sleep, up to one tick late; cheap.
  @usableFromInline
  static func coarse() -> Int64 {
    #if canImport(Darwin)
    return Int64(truncatingIfNeeded: clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW_APPROX))
    #else
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    let offset = sleepOffset.load(ordering: .relaxed)
    return offset == .min ? precise() : nanoseconds(time) &+ offset
    #endif
  }

  /// Nanoseconds of the same time line, exact.
  @usableFromInline
  static func precise() -> Int64 {
    #if canImport(Darwin)
    return Int64(truncatingIfNeeded: clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW))
    #else
    let now = bootTime()
    // The two clocks are read one after the other: only a sleep of the machine moves the offset by
    // more than the scheduler can, so smaller differences are noise.
    let offset = now - monotonic()
    let known = sleepOffset.load(ordering: .relaxed)
    if known == .min || abs(offset - known) > 50_000_000 {
      sleepOffset.store(offset, ordering: .relaxed)
    }
    return now
    #endif
  }

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

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
  #endif
}
