// Which sets of parts scopes were named by, so that what was noted for a scope is found from every scope
// that contains it: by one look for each set of names, however many scopes were noted, and never by
// one for each of the 2^n subsets of n parts.
//
// Invariants: a set stands here once, its names in the order of a scope's parts. A program names its
// scopes by few sets (`user`; `tenant` and `user`), whose number is bounded: what finds no room has to
// be noted by its owner for more than was asked, so that nothing is missed. Pure; owned by the books
// of invalidations.

/// The sets of part names of some scopes.
struct ScopeShapes: Equatable, Sendable {
  /// How many sets are kept apart.
  static let limit = 32

  private var shapes: [[String]] = []

  /// Adds the names of a scope.
  ///
  /// - Returns: `false` when there is no room for one set more.
  mutating func insert(_ scope: CacheScope) -> Bool {
    if shapes.contains(where: scope.isNamed) { return true }
    guard shapes.count < Self.limit else { return false }
    shapes.append(scope.names)
    return true
  }

  /// Whether the names of a scope were there already; they are afterwards, if there is room.
  mutating func has(_ scope: CacheScope) -> Bool {
    if shapes.contains(where: scope.isNamed) { return true }
    _ = insert(scope)
    return false
  }

  /// The scopes of these sets that a scope lies within, but for itself.
  ///
  /// - Complexity: O(sets × parts), at most ``limit`` sets; a set that the scope lacks a part of costs
  ///   a comparison of names.
  func enclosing(_ scope: CacheScope) -> [CacheScope] {
    shapes.compactMap { scope.isNamed($0) ? nil : scope.limited(to: $0) }
  }
}
