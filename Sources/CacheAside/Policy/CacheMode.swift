/// How one call uses the cache.
public struct CacheMode: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline
  enum Kind: UInt8, Hashable, Sendable {
    case standard, reload, bypass, cacheOnly, anyAge, cacheThenRefresh, renew
  }

  @usableFromInline let kind: Kind

  @usableFromInline
  init(_ kind: Kind) { self.kind = kind }

  /// Whether this is ``default``, the only mode of the fast path.
  @inlinable
  var isDefault: Bool { kind == .standard }

  /// Returns what is fresh, else loads and stores.
  @inlinable
  public static var `default`: CacheMode { CacheMode(.standard) }

  /// Loads without reading and stores the result; joins no load that began earlier.
  @inlinable
  public static var reload: CacheMode { CacheMode(.reload) }

  /// Runs the producer alone: reads nothing, shares nothing, stores nothing.
  @inlinable
  public static var bypass: CacheMode { CacheMode(.bypass) }

  /// Never loads; throws `CacheError` with the code `notCached` when nothing fresh is there.
  @inlinable
  public static var cacheOnly: CacheMode { CacheMode(.cacheOnly) }

  /// Returns whatever is there, expired or not, else loads.
  @inlinable
  public static var anyAge: CacheMode { CacheMode(.anyAge) }

  /// Returns what is fresh or in a stale window and loads anew behind it; else loads.
  @inlinable
  public static var cacheThenRefresh: CacheMode { CacheMode(.cacheThenRefresh) }

  /// Loads without reading and stores the result; joins a load that runs already.
  ///
  /// The second half of a sequence of updates, so that many of them share one load.
  static let renew = CacheMode(.renew)

  /// Whether what is cached may answer.
  var reads: Bool { kind != .reload && kind != .renew }

  /// The mode's name.
  public var description: String {
    switch kind {
    case .standard: "default"
    case .reload: "reload"
    case .bypass: "bypass"
    case .cacheOnly: "cacheOnly"
    case .anyAge: "anyAge"
    case .cacheThenRefresh: "cacheThenRefresh"
    case .renew: "renew"
    }
  }
}
