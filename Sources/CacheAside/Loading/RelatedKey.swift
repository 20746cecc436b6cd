/// A key of one table as its relatives look for it.
///
/// A table of the same keys takes it as it is; any other by what it prints as.
final class RelatedKey {
  private let key: any Sendable
  private let tableName: String?
  private let print: () -> CacheKey
  /// The key as stores see it.
  private(set) lazy var printed = print()

  init<Key: Hashable & Sendable>(
    _ key: Key,
    tableName: String?,
    print: @escaping () -> CacheKey
  ) {
    self.key = key
    self.tableName = tableName
    self.print = print
  }

  /// The key itself, for a table of the same keys.
  func own<Key>(as type: Key.Type, tableName: String?) -> Key? {
    tableName == self.tableName ? key as? Key : nil
  }
}
