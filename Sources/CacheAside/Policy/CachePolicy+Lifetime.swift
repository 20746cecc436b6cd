// How long values live. The windows add to the lifetime and overlap each other (RFC 5861).

extension CachePolicy {
  /// How long a value stays fresh; unset everywhere means never expiring.
  public var expiry: Expiry? {
    get { fields.expiry }
    set { fields.expiry = newValue }
  }

  /// How long after its end of freshness a value is still returned at once, while one load in the
  /// background replaces it; unset means not at all.
  public var staleWhileRevalidate: Window? {
    get { fields.staleWhileRevalidate }
    set { fields.staleWhileRevalidate = newValue }
  }

  /// How long after its end of freshness a value is still returned when its load fails or takes
  /// longer than ``softTimeout``; unset means not at all.
  public var staleIfError: Window? {
    get { fields.staleIfError }
    set { fields.staleIfError = newValue }
  }

  /// How long loads of a key back off after a failed one while something else can be returned.
  ///
  /// Unset means 10 seconds. Meanwhile no load of the key begins in the background, whatever asks for
  /// it, and a stale value is returned where its window allows that, without extending it. A call that
  /// says `.reload`, or `refresh`, loads all the same. An open ``breaker`` tries its source again that
  /// often, too.
  public var retryAfterFailure: Window? {
    get { fields.retryAfterFailure }
    set { fields.retryAfterFailure = newValue }
  }

  /// Which errors of a producer let a stale value be served, and count for the ``breaker``; unset means
  /// all.
  ///
  /// A cancellation never does.
  public var failures: FailureRule? {
    get { fields.failures }
    set { fields.failures = newValue }
  }

  /// How long a value is kept beyond its stale windows for reads that ask for any age; unset means
  /// not at all.
  ///
  /// Only `entry(for:)`, `.anyAge` and the AwesomeCache reads that ask for expired objects see it.
  /// A call's own counts for what that call stores; `expire` goes by the feature's.
  public var keepExpired: Window? {
    get { fields.keepExpired }
    set { fields.keepExpired = newValue }
  }

  /// How long `nil` stays fresh; unset means as long as any value, zero or less stores no `nil`.
  public var negativeExpiry: Expiry? {
    get { fields.negativeExpiry }
    set { fields.negativeExpiry = newValue }
  }

  /// Which errors are remembered in memory instead of being asked for again; unset means none.
  ///
  /// Set by ``cachingErrors(of:for:)``.
  public var cachedErrors: CachedErrors? {
    get { fields.cachedErrors }
    set { fields.cachedErrors = newValue }
  }

  /// By how much lifetimes are shortened, so that what was stored together does not expire
  /// together; unset means by nothing.
  public var jitter: Jitter? {
    get { fields.jitter }
    set { fields.jitter = newValue }
  }

  /// When a value that is still fresh is loaded again in the background; unset means never.
  public var refreshAhead: RefreshAhead? {
    get { fields.refreshAhead }
    set { fields.refreshAhead = newValue }
  }

  /// Labels of every entry, by which it can be expired or removed; those of call, feature and
  /// defaults add up, and the producer may add more.
  public var tags: [Tag] {
    get { fields.tags }
    set { fields.tags = newValue }
  }

  /// A copy that also remembers errors of a type, and throws them again without a load.
  ///
  /// Kept in memory only, outside the table's limits, at most 10,000 of them. A success, `set`,
  /// `remove` and `expire` forget the error.
  ///
  /// - Parameters:
  ///   - type: the type; `CancellationError` is never remembered.
  ///   - expiry: for how long; zero remembers none, and one that is negative or not a number makes
  ///     the feature or the call throw `CacheError` with the code `invalidExpiry`.
  /// - Returns: the changed copy.
  public func cachingErrors<Failure: Error>(
    of type: Failure.Type,
    for expiry: Expiry
  ) -> CachePolicy {
    var copy = self
    copy.cachedErrors = (cachedErrors ?? CachedErrors()).adding(type, for: expiry)
    return copy
  }
}
