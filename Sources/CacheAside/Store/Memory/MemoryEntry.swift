/// A value in memory with its times, fresh or not.
@frozen
public struct MemoryEntry<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value

  /// When it was stored, in monotonic nanoseconds; within 4.2 ms with the system's clock.
  public let storedAt: Int64

  /// When it stops being fresh, with the system's clock up to four ticks early; `Int64.max` is never.
  public let deadline: Int64

  /// When it stops being kept, with the system's clock up to four ticks early; `Int64.max` is never.
  public let keptUntil: Int64

  /// What it costs.
  public let cost: Int

  /// What it carries beyond that; `nil` as a rule.
  @usableFromInline let terms: EntryTerms?

  @inlinable
  init(
    value: Value,
    storedAt: Int64,
    deadline: Int64,
    keptUntil: Int64,
    cost: Int,
    terms: EntryTerms? = nil
  ) {
    self.value = value
    self.storedAt = storedAt
    self.deadline = deadline
    self.keptUntil = keptUntil
    self.cost = cost
    self.terms = terms
  }
}
