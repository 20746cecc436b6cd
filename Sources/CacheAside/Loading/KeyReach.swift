/// Which keys of a feature a table may hold.
struct KeyReach: Hashable, Sendable {
  /// With what the text of its keys begins; empty when that may be anything.
  let prefix: String
  /// Whether its keys are the feature's, in whatever namespace.
  let isIdentity: Bool
  /// Whether it holds keys under a scope only, beside the table of the calls without one.
  let isScoped: Bool

  /// Whether it may hold any key.
  var isOpen: Bool { isIdentity && !isScoped }

  /// Whether some key may be in a table of this kind and in one of the other.
  func meets(_ other: KeyReach) -> Bool {
    if isOpen || other.isOpen { return true }
    return prefix == other.prefix && isScoped == other.isScoped
  }
}
