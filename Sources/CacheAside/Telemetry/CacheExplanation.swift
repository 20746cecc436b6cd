/// What a cache knows about one key, and what the next read would do.
///
/// A snapshot: nothing is loaded, counted or promoted to make it, and the key may have changed since.
public struct CacheExplanation: Hashable, Sendable, CustomStringConvertible {
  /// The feature.
  public let feature: String
  /// The name of the function's form, if it has one.
  public let table: String?
  /// The key in its namespace, which has the feature's name, the version and the scope.
  public let key: CacheKey
  /// What every tier has, in the order in which they are asked.
  public internal(set) var tiers: [Tier] = []
  /// Whether a load of the key is in progress.
  public internal(set) var isLoading = false
  /// How many callers wait for it.
  public internal(set) var waiters = 0
  /// How long its producer still rests after a failed load; `nil` if it does not.
  public internal(set) var rests: Duration?
  /// How long its source is left alone still, since loads have failed in a row and the breaker is open;
  /// `nil` where loads may ask it.
  public internal(set) var openBreaker: Duration?
  /// The error that is thrown again without a load; `nil` if none is remembered.
  public internal(set) var rememberedError: String?
  /// Which rule decides the next read in the default mode.
  public internal(set) var rule: CacheRule = .absent
  /// What the next read in the default mode would do, as a sentence.
  public internal(set) var nextRead = ""

  init(feature: String, table: String?, key: CacheKey) {
    self.feature = feature
    self.table = table
    self.key = key
  }

  /// A few lines, with a hash instead of the key.
  public var description: String { text(showsKey: false) }

  /// A few lines.
  ///
  /// - Parameter showsKey: whether to show key, tags and validator, which may hold what must not be
  ///   in a log.
  /// - Returns: the lines, without an end of line.
  public func text(showsKey: Bool) -> String {
    let key =
      showsKey
      ? "\(key.namespace.map(\.description) ?? ""):\(key.text)" : "\(feature) \(key.hashed)"
    var lines = [key + (table.map { " of \($0)" } ?? "")]
    lines += tiers.map { $0.text(showsTags: showsKey) }
    if isLoading { lines.append("a load is in progress, \(waiters) waiting") }
    if let rests { lines.append("the producer rests for \(rests.brief)") }
    if let openBreaker { lines.append("the breaker is open for \(openBreaker.brief)") }
    if let rememberedError { lines.append("remembered error: \(rememberedError)") }
    lines.append("\(nextRead) (\(rule))")
    return lines.joined(separator: "\n  ")
  }
}
