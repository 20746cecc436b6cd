import Synchronization

extension Cache {
  /// How much each memory table of the feature may hold.
  public var memoryLimits: MemoryLimits { core.memoryPlan.limits }

  /// Changes how much each memory table of the feature may hold, and evicts at once what is too
  /// much; tables that are made later hold the new limits, too.
  ///
  /// - Parameter limits: the new limits, of the same kinds as before.
  /// - Throws: `CacheError` with the code `invalidConfiguration`, and nothing is changed, when a limit
  ///   is negative, or when a limit on count or cost would come or go.
  /// - Complexity: O(n) in what is evicted.
  public func setMemoryLimits(_ limits: MemoryLimits) throws {
    try core.setMemoryLimits(limits)
  }

  func applyMemoryLimits(_ limits: MemoryLimits) throws {
    if memory.limits != limits { try memory.setLimits(limits) }
  }
}

extension FeatureCore {
  /// Changes the limits of all tables, those that are being made included.
  func setMemoryLimits(_ limits: MemoryLimits) throws {
    try setMemoryPlanLimits(limits)
    for table in tables { try table.applyMemoryLimits(memoryPlan.limits) }
  }

  /// Gives a table that is known by now the limits that were set while it was being made.
  func adoptLimits(_ table: some CacheTable) {
    do { try table.applyMemoryLimits(memoryPlan.limits) } catch {
      preconditionFailure("a memory plan was changed before its limits were checked: \(error)")
    }
  }
}
