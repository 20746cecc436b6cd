/// Which keys of a feature a table may hold.
struct KeyReach: Sendable {
  /// What the arguments are that the keys are made of, as far as that says how they print.
  private enum Arguments: Equatable, Sendable {
    case integers
    case texts
    case others(ObjectIdentifier)
  }

  /// With what the text of its keys begins; empty when that may be anything.
  let prefix: String
  /// Whether its keys are the feature's, in whatever namespace.
  let isIdentity: Bool
  /// Whether it holds keys under a scope only, beside the table of the calls without one.
  let isScoped: Bool
  private let arguments: Arguments
  /// Whether it knows from the start what its keys print as.
  private let isIndexed: Bool

  init<Key: Hashable>(
    _ strategy: KeyStrategy<Key>,
    isScoped: Bool,
    isIndexed: Bool
  ) {
    prefix = strategy.prefix
    isIdentity = strategy.isIdentity
    self.isScoped = isScoped
    self.isIndexed = isIndexed
    arguments =
      FoldedHash.integerWidth(of: Key.self) != 0
      ? .integers : Key.self == String.self ? .texts : .others(ObjectIdentifier(Key.self))
  }

  /// Whether it may hold any key.
  var isOpen: Bool { isIdentity && !isScoped }

  /// Whether some key may be in a table of this kind and in one of the other.
  ///
  /// Where nothing else asks for an index, tables of different argument types are taken to print
  /// differently, unless both are integers: each write to one would have to be looked up in the other.
  func meets(_ other: KeyReach) -> Bool {
    if isOpen || other.isOpen { return true }
    return prefix == other.prefix && isScoped == other.isScoped
      && (isIndexed || arguments == other.arguments)
  }
}
