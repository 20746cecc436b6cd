// Which rule decides the next read of an explained key: the same questions as the engine asks, in the
// same order (memory, a remembered error, a stale window, a load in progress, the slower tiers), with
// nothing changed by the answers.

extension Cache {
  /// Fills in what the next read would do.
  func decide(
    _ explanation: inout CacheExplanation,
    _ near: TierLook<Value>,
    _ slower: [TierLook<Value>],
    _ key: HashedKey<Key>,
    _ terms: LoadTerms,
    servesAtOnce: Bool,
    _ now: Int64
  ) {
    let (rule, text) = decision(explanation, near, slower, key, terms, servesAtOnce, now)
    explanation.rule = rule
    explanation.nextRead = "The next read " + text
  }

  private func decision(
    _ explanation: CacheExplanation,
    _ near: TierLook<Value>,
    _ slower: [TierLook<Value>],
    _ key: HashedKey<Key>,
    _ terms: LoadTerms,
    _ servesAtOnce: Bool,
    _ now: Int64
  ) -> (CacheRule, String) {
    if core.isClosed { return (.closed, "runs its producer alone: the cache is closed") }
    if near.isFresh { return fresh(near, explanation, terms, now, then: "") }
    do { try core.checkScope(terms) } catch {
      return (.requiredScope, "throws missingScope: a scope part that is required is not bound")
    }
    if explanation.rememberedError != nil {
      return (.cachedErrors, "throws the remembered error without a load")
    }
    if let stale = stale(near, explanation, now) { return stale }
    if explanation.isLoading {
      if servesAtOnce {
        return (.staleWhileRevalidate, "returns the expired value that is being loaded again")
      }
      return (.singleFlight, "waits for the load in progress")
    }
    if siblingHit(key.key) != nil {
      return (.fresh, "returns the value that memory holds in another form")
    }
    for look in slower {
      if look.isFresh { return fresh(look, explanation, terms, now, then: promotion) }
      if let stale = stale(look, explanation, now) { return stale }
    }
    if explanation.openBreaker != nil {
      return (.breaker, "throws backingOff: its source failed several times in a row")
    }
    return (.absent, "runs the producer" + rescue([near] + slower, now))
  }

  private var promotion: String {
    core.memoryPlan.storesAnything ? " and puts it into memory" : ""
  }

  private func fresh(
    _ look: TierLook<Value>,
    _ explanation: CacheExplanation,
    _ terms: LoadTerms,
    _ now: Int64,
    then: String
  ) -> (CacheRule, String) {
    let tier = look.shown.name
    guard let value = look.value else { return (.fresh, "returns the value of \(tier)") }
    let attention = terms.fields.refreshAhead?.attention(
      storedAt: value.storedAt,
      deadline: value.deadline,
      loadTime: look.loadTime
    )
    let isLeftAlone =
      explanation.rests != nil || explanation.openBreaker != nil || explanation.isLoading
    if value.terms?.isDue == true, !isLeftAlone {
      return (
        .refreshAhead,
        "returns the fresh value of \(tier)\(then), and loads it again behind the answer, as refresh "
          + "asked for"
      )
    }
    if let attention, now >= attention, !isLeftAlone {
      let verb = terms.fields.refreshAhead?.needsLoadTime == true ? "may load" : "loads"
      return (
        .refreshAhead,
        "returns the fresh value of \(tier)\(then), and \(verb) it again "
          + "behind the answer"
      )
    }
    if Self.isNil(value.value) { return (.negative, "returns the cached nil of \(tier)\(then)") }
    return (.fresh, "returns the fresh value of \(tier)\(then)")
  }

  private func stale(
    _ look: TierLook<Value>,
    _ explanation: CacheExplanation,
    _ now: Int64
  ) -> (CacheRule, String)? {
    guard let value = look.value, now >= value.deadline else { return nil }
    let tier = look.shown.name
    let isResting = explanation.rests != nil
    if isResting, value.revalidates(now) || value.helps(now) {
      return (
        .retryAfterFailure,
        "returns the expired value of \(tier): its producer rests after a failure"
      )
    }
    if explanation.openBreaker != nil, value.revalidates(now) || value.helps(now) {
      return (
        .breaker,
        "returns the expired value of \(tier): its source failed several times in a row"
      )
    }
    guard value.revalidates(now) else { return nil }
    let again = explanation.isLoading ? "which is being loaded again" : "and loads it again behind"
    return (.staleWhileRevalidate, "returns the expired value of \(tier), \(again)")
  }

  /// What happens if the load fails.
  private func rescue(_ looks: [TierLook<Value>], _ now: Int64) -> String {
    let helping = looks.filter { $0.value?.helps(now) == true }
    guard let best = helping.max(by: { ($0.value?.storedAt ?? 0) < ($1.value?.storedAt ?? 0) })
    else { return "" }
    return "; if it fails, the expired value of \(best.shown.name) is returned"
  }
}
