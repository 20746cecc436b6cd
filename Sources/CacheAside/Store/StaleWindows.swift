/// How long an expired value may still be served: lengths from its end of freshness, in nanoseconds.
///
/// Both windows begin at the end of freshness and are added to the lifetime, as in RFC 5861.
struct StaleWindows: Hashable, Sendable {
  /// While it is loaded again in the background.
  var whileRevalidating: Int64 = 0
  /// When a load fails or takes too long.
  var ifError: Int64 = 0

  static let none = StaleWindows()

  init(whileRevalidating: Int64 = 0, ifError: Int64 = 0) {
    self.whileRevalidating = whileRevalidating
    self.ifError = ifError
  }

  /// The longer of the two.
  var longest: Int64 { max(whileRevalidating, ifError) }

  /// The shorter of this and another, window by window: what the entry was stored with, and what
  /// today's policy allows.
  func capped(by other: StaleWindows) -> StaleWindows {
    StaleWindows(
      whileRevalidating: min(whileRevalidating, other.whileRevalidating),
      ifError: min(ifError, other.ifError)
    )
  }
}

extension CacheEntry {
  /// From when the ends of the windows count: without an end of freshness they are lengths.
  private var windowStart: Int64 { freshUntil == .max ? 0 : freshUntil }

  /// The stale windows that the record was stored with.
  var windows: StaleWindows {
    let start = windowStart
    func length(_ end: Int64?) -> Int64 {
      end.map { Lifetime(freshUntil: $0, wall: start).remaining } ?? 0
    }
    return StaleWindows(
      whileRevalidating: isExpiredByHand ? 0 : length(metadata.staleWhileRevalidateEnd),
      ifError: length(metadata.staleIfErrorEnd)
    )
  }

  /// Puts stale windows after the end of freshness.
  mutating func setWindows(_ windows: StaleWindows) {
    let start = windowStart
    func end(_ length: Int64) -> Int64? {
      length > 0 ? Lifetime(remaining: length).freshUntil(from: start) : nil
    }
    metadata.staleWhileRevalidateEnd = end(windows.whileRevalidating)
    metadata.staleIfErrorEnd = end(windows.ifError)
  }
}
