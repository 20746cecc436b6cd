/// Which rule decides what a call gets.
public struct CacheRule: Hashable, Sendable, CustomStringConvertible {
  /// The rule's name: that of the setting or mode, where there is one.
  public let description: String

  /// What the rule says, as a sentence.
  public let sentence: String

  private init(_ name: String, _ sentence: String) {
    description = name
    self.sentence = sentence
  }

  /// Rules are equal that have one name.
  ///
  /// - Parameters:
  ///   - lhs: one.
  ///   - rhs: the other.
  /// - Returns: whether they are the same.
  public static func == (lhs: CacheRule, rhs: CacheRule) -> Bool {
    lhs.description == rhs.description
  }

  /// Feeds the name into a hasher.
  ///
  /// - Parameter hasher: where to.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }

  /// A fresh value is returned.
  public static let fresh = CacheRule("fresh", "a fresh value is returned")
  /// A fresh `nil` is returned.
  public static let negative = CacheRule("negative", "a cached nil is fresh and returned")
  /// Nothing usable is cached, so the producer runs.
  public static let absent = CacheRule("absent", "nothing usable is cached, so the producer runs")
  /// A load of the key is in progress, and the call waits for it.
  public static let singleFlight = CacheRule(
    "singleFlight",
    "a load of the key is in progress, and the call waits for it"
  )
  /// A fresh value is returned and loaded again ahead of its end, by its age or because `refresh`
  /// asked for it.
  public static let refreshAhead = CacheRule(
    "refreshAhead",
    "a fresh value is returned and loaded again behind the answer, before its end"
  )
  /// An expired value is returned and loaded again.
  public static let staleWhileRevalidate = CacheRule(
    "staleWhileRevalidate",
    "an expired value is returned and loaded again behind the answer"
  )
  /// An expired value is returned because its load failed.
  public static let staleIfError = CacheRule(
    "staleIfError",
    "the load fails, so an expired value is returned"
  )
  /// An expired value is returned because its load takes too long.
  public static let softTimeout = CacheRule(
    "softTimeout",
    "the load takes longer than softTimeout, so an expired value is returned"
  )
  /// The caller's patience is at its end.
  public static let hardTimeout = CacheRule(
    "hardTimeout",
    "the load takes longer than hardTimeout, so an expired value is returned or timedOut thrown"
  )
  /// The load was given up.
  public static let abandonAfter = CacheRule(
    "abandonAfter",
    "the load takes longer than abandonAfter, so the call throws abandoned"
  )
  /// An expired value is returned because its producer rests after a failure.
  public static let retryAfterFailure = CacheRule(
    "retryAfterFailure",
    "the producer rests after a failure, so an expired value is returned"
  )
  /// The source failed several times in a row, and loads are held back.
  public static let breaker = CacheRule(
    "breaker",
    "the source failed several times in a row, so an expired value is returned or backingOff thrown"
  )
  /// A remembered error is thrown again.
  public static let cachedErrors = CacheRule(
    "cachedErrors",
    "a remembered error is thrown without a load"
  )
  /// The call takes what is there.
  public static let anyAge = CacheRule("anyAge", "the mode takes a value of any age")
  /// The call never loads.
  public static let cacheOnly = CacheRule("cacheOnly", "the call never loads, and nothing is fresh")
  /// The call loads without reading.
  public static let reload = CacheRule("reload", "the mode loads without reading")
  /// The call passes the cache by.
  public static let bypass = CacheRule("bypass", "the mode passes the cache by")
  /// The call changes what is cached.
  public static let change = CacheRule("change", "the call changes what is cached")
  /// The cache is closed, so every call runs its producer.
  public static let closed = CacheRule("closed", "the cache is closed, so every call loads alone")
  /// A scope part is missing that the feature requires.
  public static let requiredScope = CacheRule(
    "requiredScope",
    "the feature requires a scope that is not bound, so the call throws missingScope"
  )
  /// The load would wait for itself.
  public static let recursiveLoad = CacheRule(
    "recursiveLoad",
    "the load would wait for itself, so the call throws recursiveLoad"
  )
}
