/// A key made of the two arguments of a function: ``ArgumentPair``.
///
/// A memoized function with such a key, and with just these arguments, is called without packing
/// them first; see ``MemoizedFunction``. A conforming type keeps both as they are: the function gets
/// what ``arguments`` returns.
public protocol TwoArgumentKey: CacheKeyConvertible {
  /// The type of the first argument.
  associatedtype First: Sendable

  /// The type of the second argument.
  associatedtype Second: Sendable

  /// A tuple of both types: what the arguments of a function are compared with.
  associatedtype Arguments

  /// Pairs two arguments.
  ///
  /// - Parameters:
  ///   - first: the first argument.
  ///   - second: the second argument.
  init(_ first: First, _ second: Second)

  /// Both arguments, as the function takes them.
  var arguments: Arguments { get }
}
