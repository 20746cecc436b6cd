// Settings that contradict each other, or are a risk: a pure function of a feature's merged policy and
// its stores. What a call or a producer may still say (an expiry above all) is not held against the
// feature. `FeaturePlan` asks once for every feature that is configured.

/// Says what is wrong with a feature's settings.
enum PolicyAdvisor {
  /// What is looked at.
  struct Subject: Sendable {
    var policy: CachePolicy
    /// The limits of the memory tables; `nil` without memory.
    var memory: MemoryPlan?
    /// The names of the slower stores.
    var stores: [String] = []
    /// Whether the system tells when memory runs short.
    var hasMemoryPressure = MemoryPressure.isAvailable
  }

  /// The advice about a feature, in the order of its settings.
  static func advice(for subject: Subject) -> [Advice] {
    storage(subject) + windows(subject) + lifetimes(subject.policy.fields)
      + loads(subject.policy.fields)
  }

  private static func storage(_ subject: Subject) -> [Advice] {
    guard let memory = subject.memory else { return [] }
    var advice: [Advice] = []
    if !memory.storesAnything, !subject.stores.isEmpty {
      advice.append(
        Advice(
          "Memory",
          "its limit is 0, so every read goes to \(subject.stores[0]); leave Memory out, or give it a "
            + "limit"
        )
      )
    }
    let isUnlimited = memory.limits.countLimit == nil && memory.limits.costLimit == nil
    if isUnlimited, !subject.hasMemoryPressure {
      advice.append(
        Advice(
          "Memory",
          .risk,
          "it has no limit, and this system does not tell when memory runs short; give it a count or "
            + "cost"
        )
      )
    }
    return advice
  }

  private static func windows(_ subject: Subject) -> [Advice] {
    let fields = subject.policy.fields
    var advice: [Advice] = []
    let windows = [
      ("staleWhileRevalidate", fields.staleWhileRevalidate),
      ("staleIfError", fields.staleIfError), ("keepExpired", fields.keepExpired),
    ].filter { $0.1.map { $0 > .zero } ?? false }.map(\.0)
    for setting in windows {
      if subject.memory?.storesAnything != true, subject.stores.isEmpty {
        advice.append(
          Advice(
            setting,
            "no store keeps what has expired; give Memory a limit above 0, or add a store"
          )
        )
      }
      if fields.expiry == .never {
        advice.append(
          Advice(setting, "it begins when a value expires, and the expiry is .never; set an expiry")
        )
      }
    }
    let isServedStale = (fields.staleIfError ?? .zero) > .zero
    let isRevalidated = (fields.staleWhileRevalidate ?? .zero) > .zero
    if fields.softTimeout != nil, !isServedStale {
      advice.append(
        Advice(
          "softTimeout",
          "nothing can be returned when it has passed; set staleIfError, or use hardTimeout"
        )
      )
    }
    let hasBreaker = fields.breaker.map { $0 != .off } ?? (isServedStale || isRevalidated)
    if fields.retryAfterFailure != nil, !isServedStale, !isRevalidated, fields.refreshAhead == nil,
      !hasBreaker
    {
      advice.append(
        Advice(
          "retryAfterFailure",
          "a producer rests only while something else can be returned; set staleIfError or "
            + "staleWhileRevalidate"
        )
      )
    }
    if fields.failures != nil, !isServedStale, !isRevalidated, fields.retries == nil, !hasBreaker {
      advice.append(
        Advice(
          "failures",
          "it decides about stale values and retries, and there are none; set staleIfError or retries"
        )
      )
    }
    advice += breaker(fields, hasBreaker)
    if isServedStale, fields.softTimeout == nil, fields.hardTimeout == nil,
      fields.abandonAfter == nil
    {
      advice.append(
        Advice(
          "staleIfError",
          .risk,
          "a source that hangs is no error, and its readers wait for ever; set softTimeout or "
            + "hardTimeout"
        )
      )
    }
    return advice
  }

  private static func breaker(_ fields: CachePolicy.Fields, _ isOn: Bool) -> [Advice] {
    var advice: [Advice] = []
    if let limit = fields.failuresToBackOff, !isOn {
      advice.append(
        Advice(
          "failuresToBackOff",
          "no breaker counts to \(limit); set breaker, or a stale window, with which one is on"
        )
      )
    }
    if let limit = fields.failuresToBackOff, limit < 1 {
      advice.append(Advice("failuresToBackOff", "\(limit) counts as 1; use 1 or more"))
    }
    if let scope = fields.breaker, scope != .off, let pause = fields.retryAfterFailure,
      pause <= .zero
    {
      advice.append(
        Advice(
          "breaker",
          "retryAfterFailure is zero, so the source is asked all the same; set a pause, or .off"
        )
      )
    }
    return advice
  }

  private static func lifetimes(_ fields: CachePolicy.Fields) -> [Advice] {
    var advice: [Advice] = []
    if case .idle(let interval, let maximum)? = fields.expiry?.kind, interval >= maximum {
      advice.append(
        Advice(
          "expiry",
          "the idle interval is not shorter than its maximum, so reads prolong nothing; raise the "
            + "maximum, or use .after"
        )
      )
    }
    if let ahead = fields.refreshAhead, ahead != .never {
      if fields.expiry == .never {
        advice.append(
          Advice(
            "refreshAhead",
            "there is no end to be ahead of, the expiry is .never; set an expiry"
          )
        )
      } else if case .idle? = fields.expiry?.kind {
        advice.append(
          Advice(
            "refreshAhead",
            .risk,
            "with an idle expiry it goes by the end that the next read moves; prefer .after"
          )
        )
      }
    }
    if let jitter = fields.jitter, jitter.share >= 1 {
      advice.append(
        Advice(
          "jitter",
          "it takes up to the whole lifetime, so that some values expire at once; use a share below 1"
        )
      )
    }
    if let negative = length(fields.negativeExpiry), let positive = length(fields.expiry),
      negative > positive
    {
      advice.append(
        Advice("negativeExpiry", "nil stays longer than a value would; make it at most the expiry")
      )
    }
    return advice
  }

  private static func loads(_ fields: CachePolicy.Fields) -> [Advice] {
    var advice: [Advice] = []
    if let limit = fields.maximumConcurrentLoads, limit < 1 {
      advice.append(
        Advice("maximumConcurrentLoads", "\(limit) lets no load run and counts as 1; use 1 or more")
      )
    }
    if let retries = fields.retries, retries.maximum > 0, let hard = fields.hardTimeout,
      retries.pause >= hard
    {
      advice.append(
        Advice(
          "retries",
          "the first pause is not shorter than hardTimeout, after which no attempt begins; shorten it"
        )
      )
    }
    return advice
  }

  /// A lifetime that is known without a clock, in nanoseconds.
  private static func length(_ expiry: Expiry?) -> Int64? {
    switch expiry?.kind {
    case .never?: .max
    case .after(let nanoseconds)?: nanoseconds
    case .idle(_, let maximum)?: maximum
    case .at?, .invalid?, nil: nil
    }
  }
}
