/// Any number of arguments of a function as one key.
///
/// Its key bytes and its text are those of the list of all. In memory tables ``keyIdentity``
/// stands for it, a pack of what stands for the arguments.
@frozen
public struct ArgumentPack<each Argument: CacheKeyConvertible>: CacheKeyConvertible {
  /// What stands for the pack in memory tables.
  public typealias KeyIdentity = ArgumentPack<repeat (each Argument).KeyIdentity>

  /// The arguments in their order.
  public let arguments: (repeat each Argument)

  /// Packs arguments.
  ///
  /// - Parameter arguments: the arguments.
  @inlinable
  public init(_ arguments: repeat each Argument) {
    self.arguments = (repeat each arguments)
  }

  /// What stands for the pack in memory tables.
  @inlinable
  public var keyIdentity: KeyIdentity {
    ArgumentPack<repeat (each Argument).KeyIdentity>(repeat (each arguments).keyIdentity)
  }

  /// Encodes all arguments.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    repeat encoder.encode(each arguments)
  }

  /// Whether all arguments are equal.
  ///
  /// - Parameters:
  ///   - lhs: one pack.
  ///   - rhs: the other.
  /// - Returns: whether they are equal.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool {
    for (left, right) in repeat (each lhs.arguments, each rhs.arguments) {
      guard left == right else { return false }
    }
    return true
  }

  /// Feeds all arguments into a hasher.
  ///
  /// - Parameter hasher: where to.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    repeat hasher.combine(each arguments)
  }
}

extension ArgumentPack: ArgumentList {
  func encodeArguments() -> [[UInt8]] {
    var elements: [[UInt8]] = []
    repeat elements.append(CacheKey.Encoder.bytes(of: each arguments))
    return elements
  }
}
