import Synchronization

/// A 64-bit counter off the hit path; wraps instead of trapping.
final class Counter: Sendable {
  private let value = Atomic<UInt64>(0)
  private let base = Atomic<UInt64>(0)

  func add(_ amount: UInt64 = 1) { value.wrappingAdd(amount, ordering: .relaxed) }

  /// What was counted since the last reset.
  var count: UInt64 { value.load(ordering: .relaxed) &- base.load(ordering: .relaxed) }

  func reset() { base.store(value.load(ordering: .relaxed), ordering: .relaxed) }
}
