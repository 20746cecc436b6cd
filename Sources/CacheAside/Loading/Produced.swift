/// What a producer may answer: a value, and what it knows better than its caller.
public struct Produced<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value

  /// Its lifetime; `nil` leaves the decision to the call, the feature and the defaults.
  public var expiry: Expiry?

  /// Its cost in memory; `nil` takes the default: its encoded size if it was encoded, else its
  /// size in memory as far as the type shows it.
  public var cost: Int?

  /// Whether it may be stored; if not, the waiting callers get it and nobody else.
  public var isStored: Bool

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - expiry: its lifetime, if the producer knows it.
  ///   - cost: its cost in memory, if the producer knows it.
  ///   - isStored: whether it may be stored.
  public init(_ value: Value, expiry: Expiry? = nil, cost: Int? = nil, isStored: Bool = true) {
    self.value = value
    self.expiry = expiry
    self.cost = cost
    self.isStored = isStored
  }
}
