import Synchronization

extension FeatureCore {
  /// Reports what the advisor says about the feature, once: to those who listen, or else to the first
  /// who will.
  func advise(_ advice: [Advice]) {
    advisesOnTables.store(memoryPlan.storesAnything, ordering: .releasing)
    events.sendOrHold(advice.map(event))
  }

  /// Says once that the limits hold for each table, when a second one is made.
  func adviseOnTables() {
    let limits = memoryPlan.limits
    guard limits.countLimit != nil || limits.costLimit != nil,
      advisesOnTables.exchange(false, ordering: .acquiringAndReleasing)
    else { return }
    let advice = Advice(
      "Memory",
      .risk,
      "its limits hold for each pair of key and value types, and the feature has more than one; split "
        + "the feature, or halve the limits"
    )
    events.sendOrHold([event(advice)])
  }

  private func event(_ advice: Advice) -> CacheEvent {
    CacheEvent(
      .advice,
      feature: name,
      error: CacheError(.invalidConfiguration, advice.description)
    )
  }
}

extension [Advice] {
  /// Refuses settings that contradict each other.
  func refuseContradictions(of feature: String) throws {
    let refused = filter { $0.severity == .contradiction }
    if refused.isEmpty { return }
    throw CacheError(
      .invalidConfiguration,
      "feature \"\(feature)\": " + refused.map(\.description).joined(separator: "; ")
    )
  }
}
