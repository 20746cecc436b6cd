/// The time limits of a load and of those who wait for it, in nanoseconds; `max` is none.
struct LoadLimits: Hashable, Sendable {
  /// For how long a caller waits before it takes something older.
  let soft: Int64
  /// For how long it waits at all.
  let hard: Int64
  /// How long the load may take.
  let abandon: Int64

  /// Which setting says so.
  private let abandonSetting: String?

  /// How long a load may take that nobody waits for, unless the policy says.
  static let background: Int64 = 60_000_000_000

  static let none = LoadLimits()

  private init() {
    soft = .max
    hard = .max
    abandon = .max
    abandonSetting = nil
  }

  /// How long a load may take that nobody waits for.
  var abandonInBackground: Int64 { abandon == .max ? Self.background : abandon }

  /// Names the limit of a load for an error: as it is set, as it follows from another, or the default.
  func abandonText(isBackground: Bool) -> String {
    guard abandon != .max, let abandonSetting else {
      let limit = Duration.nanoseconds(Self.background).brief
      return "\(limit), which is the default of a load in the background (set abandonAfter)"
    }
    return "its \(abandonSetting) of \(Duration.nanoseconds(abandon).brief)"
  }

  /// Whether a caller's patience has an end.
  var hasPatience: Bool { soft != .max || hard != .max }

  /// - Throws: `CacheError` with the code `invalidConfiguration` unless soft ≤ hard ≤ abandon.
  init(_ policy: CachePolicy.Fields) throws {
    soft = policy.softTimeout?.nanoseconds ?? .max
    hard = policy.hardTimeout?.nanoseconds ?? .max
    if let limit = policy.abandonAfter {
      abandon = limit.nanoseconds
      abandonSetting = "abandonAfter"
    } else {
      let larger = max(soft == .max ? 0 : soft, hard == .max ? 0 : hard)
      let (product, overflow) = larger.multipliedReportingOverflow(by: 10)
      abandon = larger == 0 || overflow ? .max : product
      abandonSetting =
        "unset abandonAfter, ten times \(larger == hard ? "hardTimeout" : "softTimeout"),"
    }
    if soft > hard && soft != .max && hard != .max || hard > abandon && hard != .max
      || soft > abandon && soft != .max
    {
      throw CacheError(
        .invalidConfiguration,
        "the timeouts contradict each other; softTimeout <= hardTimeout <= abandonAfter is allowed"
      )
    }
  }
}
