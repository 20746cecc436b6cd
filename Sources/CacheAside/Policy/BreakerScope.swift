/// Which loads share a breaker: what keeps a source that is down from being asked for every key.
///
/// After ``CachePolicy/failuresToBackOff`` failed loads in a row the breaker is open: a call gets a
/// stale value where its policy allows one, else `CacheError` with the code `backingOff` at once, and
/// one load each ``CachePolicy/retryAfterFailure`` tries whether the source answers again. A load that
/// ends with a value closes it, an explicit `.reload` or `refresh` among them, which is never held
/// back.
public struct BreakerScope: Hashable, Sendable, CustomStringConvertible {
  enum Kind: Hashable, Sendable { case off, function, feature }

  let kind: Kind

  /// No breaker: every key asks for itself.
  public static let off = BreakerScope(kind: .off)

  /// Each named function, and each `Cache`, has its own.
  ///
  /// The default where a stale window is set. Calls that name no function have none: the immediate
  /// forms, and those with a `key:` closure.
  public static let function = BreakerScope(kind: .function)

  /// All calls of the feature share one, since one source is behind all of them.
  public static let feature = BreakerScope(kind: .feature)

  /// The scope's name.
  public var description: String { "\(kind)" }
}
