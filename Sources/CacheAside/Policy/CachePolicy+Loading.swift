// How loads behave: who waits how long, and how many run.

extension CachePolicy {
  /// What happens to a load when its last waiter has left; unset means it is cancelled.
  public var whenUnobserved: WhenUnobserved? {
    get { fields.whenUnobserved }
    set { fields.whenUnobserved = newValue }
  }

  /// How long a caller waits for a load before it takes a value in the window of ``staleIfError``.
  ///
  /// The load goes on. Unset means as long as the load takes.
  public var softTimeout: Window? {
    get { fields.softTimeout }
    set { fields.softTimeout = newValue }
  }

  /// How long a caller waits for a load before it gives up: it takes a value in the window of
  /// ``staleIfError``, and throws `CacheError` with the code `timedOut` where there is none.
  ///
  /// The load goes on and is stored. Unset means as long as the load takes.
  public var hardTimeout: Window? {
    get { fields.hardTimeout }
    set { fields.hardTimeout = newValue }
  }

  /// How long a load may take before it is cancelled and its key is free again; those who still
  /// wait get a stale value or `CacheError` with the code `abandoned`, and a late result is dropped.
  ///
  /// Unset means ten times the larger of ``softTimeout`` and ``hardTimeout``; without these a
  /// foreground load may take for ever, and a background one 60 seconds.
  public var abandonAfter: Window? {
    get { fields.abandonAfter }
    set { fields.abandonAfter = newValue }
  }

  /// How often, and how far apart, a failed producer is asked again within one load; unset means
  /// not at all.
  public var retries: Retries? {
    get { fields.retries }
    set { fields.retries = newValue }
  }

  /// Which loads share a breaker, which holds loads back while their source is down.
  ///
  /// Unset means ``BreakerScope/function`` where ``staleWhileRevalidate`` or ``staleIfError`` is set,
  /// and ``BreakerScope/off`` elsewhere.
  public var breaker: BreakerScope? {
    get { fields.breaker }
    set { fields.breaker = newValue }
  }

  /// After how many failed loads in a row the ``breaker`` opens; unset means 5.
  ///
  /// A load counts once, after its ``retries``, when it ends in an error that ``failures`` counts or
  /// takes longer than ``abandonAfter``; a batch is one. Cancellations and callers that gave up
  /// waiting do not count, and a value starts the row anew.
  public var failuresToBackOff: Int? {
    get { fields.failuresToBackOff }
    set { fields.failuresToBackOff = newValue }
  }

  /// How many producers of a feature run at once.
  ///
  /// More keys wait for their turn, first come first among equal priorities. Unset means no limit. Of a feature or the defaults only.
  ///
  /// Loads that a producer of the same feature asks for take no turn of their own.
  public var maximumConcurrentLoads: Int? {
    get { fields.maximumConcurrentLoads }
    set { fields.maximumConcurrentLoads = newValue }
  }

  /// The scope parts without which no call of a feature is answered; unset means none.
  ///
  /// What belongs to one tenant or user is so never shared. Of a feature or the defaults only.
  public var requiredScope: [String]? {
    get { fields.requiredScope }
    set { fields.requiredScope = newValue }
  }
}
