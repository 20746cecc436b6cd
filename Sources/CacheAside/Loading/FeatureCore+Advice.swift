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

  /// Says once a type that its values never reach a store, also on standard error in debug builds.
  func adviseOnCoding(of type: Any.Type) {
    guard isNew(type) else { return }
    let advice = Advice(
      "codec",
      .contradiction,
      "values never reach the stores and stay in memory: \(UncodableType(type))"
    )
    events.sendOrHold([event(advice)])
    #if DEBUG
    StandardError.write("CacheAside: feature \"\(name)\": \(advice.message)")
    #endif
  }

  /// Says once a type that its structure is not seen fully, if so.
  func adviseOnStructure(of type: Any.Type) {
    let hidden = SchemaFingerprint.hidden(in: type)
    guard !hidden.isEmpty, isNew(type) else { return }
    let advice = Advice(
      "codec",
      .risk,
      "the structure of \(type) is not seen fully, since \(hidden.joined(separator: ", ")) is coded by "
        + "hand: when that changes, records of the older form may be read; pass .json(version:) as "
        + "`codec:` and raise the version"
    )
    events.sendOrHold([event(advice)])
  }

  private func isNew(_ type: Any.Type) -> Bool {
    let bare = (type as? any AnyOptional.Type)?.wrappedType ?? type
    return advisedTypes.withLock { $0.insert(ObjectIdentifier(bare)).inserted }
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
