/// Two arguments of a function as one key.
///
/// Its key bytes and its text are those of the list of both. In memory tables
/// ``keyIdentity`` stands for it, a pair of what stands for the arguments.
@frozen
public struct ArgumentPair<First: CacheKeyConvertible, Second: CacheKeyConvertible>:
  TwoArgumentKey
{
  /// The first argument.
  public let first: First

  /// The second argument.
  public let second: Second

  /// Pairs two arguments.
  ///
  /// - Parameters:
  ///   - first: the first argument.
  ///   - second: the second argument.
  @inlinable
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// Both arguments, as the function takes them.
  @inlinable public var arguments: (First, Second) { (first, second) }

  /// What stands for the pair in memory tables.
  @inlinable
  public var keyIdentity: ArgumentPair<First.KeyIdentity, Second.KeyIdentity> {
    ArgumentPair<First.KeyIdentity, Second.KeyIdentity>(first.keyIdentity, second.keyIdentity)
  }

  /// Encodes both arguments.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.encode(first)
    encoder.encode(second)
  }

  /// Whether both arguments are equal.
  ///
  /// - Parameters:
  ///   - lhs: one pair.
  ///   - rhs: the other.
  /// - Returns: whether they are equal.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.first == rhs.first && lhs.second == rhs.second
  }

  /// Feeds both arguments into a hasher.
  ///
  /// - Parameter hasher: where to.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(first)
    hasher.combine(second)
  }

  /// The hash under a seed: strings and integers are hashed without what a hasher costs around it.
  ///
  /// - Parameter seed: the seed.
  /// - Returns: the hash.
  @inlinable @inline(__always)
  public func _rawHashValue(seed: Int) -> Int {
    // An integer is the last word, wherever it stands.
    let width = FoldedHash.integerWidth(of: First.self)
    if width != 0 {
      return StringHash.hash(second, FoldedHash.bits(of: first, width: width), seed: seed)
    }
    let secondWidth = FoldedHash.integerWidth(of: Second.self)
    if secondWidth != 0 {
      // Under another seed, so that the order of the parts counts.
      return StringHash.hash(first, FoldedHash.bits(of: second, width: secondWidth), seed: ~seed)
    }
    var state = SipHash(SipHash.Key(seed: UInt64(truncatingIfNeeded: seed)))
    StringHash.absorb(first, into: &state, seed: seed)
    StringHash.absorb(second, into: &state, seed: seed)
    return Int(truncatingIfNeeded: state.finish(0))
  }
}

extension ArgumentPair: ArgumentList {
  func encodeArguments() -> [[UInt8]] {
    [CacheKey.Encoder.bytes(of: first), CacheKey.Encoder.bytes(of: second)]
  }
}
