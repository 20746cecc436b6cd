/// How much a disk store may hold.
///
/// An unset limit is none. A limit of zero stores nothing; a negative one is refused when the store
/// is made. When a write exceeds a limit, the store evicts down to 80 % of it: expired entries
/// first, then those that were used least recently.
public struct DiskLimit: Hashable, Sendable {
  /// The size of all records in bytes; `nil` for no limit.
  public var bytes: Int?

  /// The number of entries; `nil` for no limit.
  public var entries: Int?

  /// How long after it was stored an entry is readable at most; `nil` for no limit.
  public var age: Duration?

  /// Makes a limit.
  ///
  /// - Parameters:
  ///   - bytes: the size of all records in bytes.
  ///   - entries: the number of entries.
  ///   - age: how long after it was stored an entry is readable at most.
  public init(bytes: Int? = nil, entries: Int? = nil, age: Duration? = nil) {
    self.bytes = bytes
    self.entries = entries
    self.age = age
  }

  /// No limit.
  public static let unlimited = DiskLimit()

  /// A number of bytes.
  ///
  /// - Parameter count: how many.
  /// - Returns: the limit.
  public static func bytes(_ count: Int) -> DiskLimit { DiskLimit(bytes: count) }

  /// Thousands of bytes.
  ///
  /// - Parameter count: how many; a product that overflows is no limit.
  /// - Returns: the limit.
  public static func kilobytes(_ count: Int) -> DiskLimit { product(count, 1_000) }

  /// Millions of bytes.
  ///
  /// - Parameter count: how many; a product that overflows is no limit.
  /// - Returns: the limit.
  public static func megabytes(_ count: Int) -> DiskLimit { product(count, 1_000_000) }

  /// Thousands of millions of bytes.
  ///
  /// - Parameter count: how many; a product that overflows is no limit.
  /// - Returns: the limit.
  public static func gigabytes(_ count: Int) -> DiskLimit { product(count, 1_000_000_000) }

  /// A number of entries.
  ///
  /// - Parameter count: how many.
  /// - Returns: the limit.
  public static func entries(_ count: Int) -> DiskLimit { DiskLimit(entries: count) }

  private static func product(_ count: Int, _ unit: Int) -> DiskLimit {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: unit)
    // Keep the sign, so that a negative limit is refused however large it is.
    return DiskLimit(bytes: overflow ? (count < 0 ? .min : .max) : bytes)
  }

  /// Whether the store must know its totals to hold the limit.
  var needsTotals: Bool { bytes != nil || entries != nil }

  /// Whether a record of this size may be stored at all.
  func admits(recordOf size: Int) -> Bool {
    if let bytes, size > bytes { return false }
    if let age, age <= .zero { return false }
    return entries != 0
  }

  /// Whether totals are within a share of the limit, in percent.
  func holds(bytes total: Int, entries count: Int, percent: Int = 100) -> Bool {
    if let bytes, total > bytes / 100 * percent + bytes % 100 * percent / 100 { return false }
    // Rounded up, so that a limit of a few entries keeps some.
    if let entries, count > entries / 100 * percent + (entries % 100 * percent + 99) / 100 {
      return false
    }
    return true
  }

  /// The last moment in microseconds up to which what was stored then is too old.
  func tooOld(at now: Int64) -> Int64? {
    guard let age else { return nil }
    let (seconds, attoseconds) = age.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflow { return nil }
    let (moment, carried) = now.subtractingReportingOverflow(whole)
    return carried ? nil : moment &- attoseconds / 1_000_000_000_000
  }

  func validate() throws {
    guard (bytes ?? 0) >= 0, (entries ?? 0) >= 0, (age ?? .zero) >= .zero else {
      throw CacheError(
        .invalidConfiguration,
        "a limit of the disk store is negative; allowed are zero, which stores nothing, positive "
          + "numbers, and .unlimited"
      )
    }
  }
}
