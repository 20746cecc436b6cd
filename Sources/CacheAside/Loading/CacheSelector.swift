/// Which entries of a feature an operation is about: some keys, tags, a scope, a condition, or all.
///
/// ```swift
/// try await users.remove(.tag("team/7"))
/// try await users.expire(.tags(allOf: ["team/7", "avatars"]))
/// try await users.remove(.where { $0.age > .seconds(3_600) })
/// ```
///
/// Tags and `.all` reach all scopes of the feature and all its value types.
public struct CacheSelector: Sendable {
  enum Kind: Sendable {
    case keys([CacheKey])
    case tags(StoreInvalidation.Selection)
    case scope(CacheScope)
    case condition(@Sendable (Entry) -> Bool)
    case all
  }

  let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// Everything of the feature.
  public static let all = CacheSelector(.all)

  /// One entry, in the scope that is bound.
  ///
  /// - Parameter key: its key.
  /// - Returns: the selector.
  public static func key(_ key: CacheKey) -> CacheSelector { CacheSelector(.keys([key])) }

  /// Some entries, in the scope that is bound.
  ///
  /// - Parameter keys: their keys.
  /// - Returns: the selector.
  public static func keys(_ keys: [CacheKey]) -> CacheSelector { CacheSelector(.keys(keys)) }

  /// The entries that carry a tag.
  ///
  /// - Parameter tag: the tag.
  /// - Returns: the selector.
  public static func tag(_ tag: Tag) -> CacheSelector { CacheSelector(.tags(.anyOf([tag]))) }

  /// The entries that carry at least one of some tags; no tags select nothing.
  ///
  /// - Parameter tags: the tags.
  /// - Returns: the selector.
  public static func tags(anyOf tags: [Tag]) -> CacheSelector { CacheSelector(.tags(.anyOf(tags))) }

  /// The entries that carry every one of some tags; no tags select nothing.
  ///
  /// - Parameter tags: the tags.
  /// - Returns: the selector.
  public static func tags(allOf tags: [Tag]) -> CacheSelector { CacheSelector(.tags(.allOf(tags))) }

  /// The entries of every scope that contains these parts, whatever else it contains; `.none` are
  /// those without a scope.
  ///
  /// So `.namespace(["user": "ada"])` reaches what is stored under `["user": "ada"]` and under
  /// `["tenant": "north", "user": "ada"]`.
  ///
  /// - Parameter scope: the parts.
  /// - Returns: the selector.
  /// - Complexity: O(1) in memory for a scope, and for each read afterwards one look for each set of
  ///   part names that was selected by, at most 32; O(n) for `.none`.
  public static func namespace(_ scope: CacheScope) -> CacheSelector {
    CacheSelector(.scope(scope))
  }

  /// The entries that meet a condition, of all scopes, in memory and in every store.
  ///
  /// Every record is looked at, so the stores must be able to list theirs. No load that is going on
  /// is stored, since nobody can say whether its entry would meet the condition.
  ///
  /// - Parameter condition: asked for each entry, in no order; it may be asked twice for one that is
  ///   in memory and in a store.
  /// - Returns: the selector.
  public static func `where`(
    _ condition: @escaping @Sendable (Entry) -> Bool
  ) -> CacheSelector {
    CacheSelector(.condition(condition))
  }
}
