/// The value that a key had before, for a producer that can ask its source whether it has changed.
///
/// A producer that takes one may answer `.notModified`: then the value gets a new lifetime in every
/// store, without being encoded again.
public struct Previous<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value

  /// What the producer gave along with it, an `ETag` for example.
  public let validator: String?

  /// How long ago it was stored.
  public let age: Duration

  /// Whether it is still fresh, as in a refresh ahead of time or by hand.
  public let isFresh: Bool

  init(value: Value, validator: String?, age: Duration, isFresh: Bool) {
    self.value = value
    self.validator = validator
    self.age = age
    self.isFresh = isFresh
  }
}
