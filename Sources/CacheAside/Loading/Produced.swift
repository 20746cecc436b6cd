/// What a producer may answer: a value, and what it knows better than its caller.
public struct Produced<Value: Sendable>: Sendable {
  /// The value; `nil` in the answer ``notModified``.
  public var value: Value?

  /// Its lifetime; `nil` leaves the decision to the call, the feature and the defaults.
  public var expiry: Expiry?

  /// Labels in addition to those of call, feature and defaults.
  public var tags: [Tag]

  /// Its cost in memory; `nil` takes the default: its encoded size if it was encoded, else its
  /// size in memory as far as the type shows it.
  public var cost: Int?

  /// What tells the source next time which version this is, an `ETag` for example; the producer
  /// gets it back in its ``Previous``.
  public var validator: String?

  /// Whether it may be stored; if not, the waiting callers get it and nobody else.
  public var isStored: Bool

  /// Whether memory keeps it when it needs room: it leaves only by expiring and removal.
  ///
  /// In memory only: read back from a slower store it is not pinned.
  public var isPinned: Bool

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - expiry: its lifetime, if the producer knows it.
  ///   - tags: labels in addition to those of the call.
  ///   - cost: its cost in memory, if the producer knows it.
  ///   - validator: what tells the source next time which version this is.
  ///   - isStored: whether it may be stored.
  ///   - isPinned: whether memory keeps it when it needs room.
  public init(
    _ value: Value,
    expiry: Expiry? = nil,
    tags: [Tag] = [],
    cost: Int? = nil,
    validator: String? = nil,
    isStored: Bool = true,
    isPinned: Bool = false
  ) {
    self.value = value
    self.expiry = expiry
    self.tags = tags
    self.cost = cost
    self.validator = validator
    self.isStored = isStored
    self.isPinned = isPinned
  }

  /// The value of an answer that renews nothing.
  ///
  /// - Throws: `CacheError` with the code `unexpectedNotModified`.
  func made(for key: @autoclosure () -> CacheKey? = nil) throws -> Value {
    guard let value else { throw CacheError.unexpectedNotModified(key()) }
    return value
  }

  private init(notModified expiry: Expiry?) {
    value = nil
    self.expiry = expiry
    tags = []
    cost = nil
    validator = nil
    isStored = true
    isPinned = false
  }

  /// The previous value is still right: it gets a new lifetime, its validator and tags stay.
  ///
  /// Only for producers that take a ``Previous`` and got one; from any other the call throws
  /// `CacheError` with the code `unexpectedNotModified`.
  public static var notModified: Produced { Produced(notModified: nil) }

  /// The previous value is still right, for a lifetime of its own.
  ///
  /// - Parameter expiry: the new lifetime.
  /// - Returns: the answer.
  public static func notModified(expiry: Expiry) -> Produced { Produced(notModified: expiry) }
}
