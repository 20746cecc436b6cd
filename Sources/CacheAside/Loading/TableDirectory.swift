// Which tables of a feature may hold a key, without a look at the others.
//
// Keys of a named function begin with its name, so tables are kept by that beginning; those whose
// keys may print as anything stand under the empty one. A feature with a thousand functions looks at
// the tables of one name, and at those of the value types that go by `CacheKey` or by a string.
// Tables are referred to weakly; they are loaded and released outside the directory's lock, since
// the last reference may go that way.

/// A table that its feature knows without keeping it alive.
struct KnownTable: Sendable {
  let id: ObjectIdentifier
  let reach: KeyReach
  let kinship: Kinship
  weak var table: (any CacheTable)?

  init(_ table: some CacheTable) {
    id = ObjectIdentifier(table)
    reach = table.reach
    kinship = table.kinship
    self.table = table
  }
}

/// The tables of a feature by the beginning of their keys and the type of their values.
struct TableDirectory: Sendable {
  private typealias Forms = [ObjectIdentifier: [KnownTable]]

  private var rooms: [String: Forms] = [:]
  /// The tables that may hold any key, and all others, by the type of their values.
  private var open: Forms = [:]
  private var closed: [ObjectIdentifier: [ObjectIdentifier: KnownTable]] = [:]

  /// All of them.
  var all: [KnownTable] { rooms.values.flatMap { $0.values.joined() } }

  /// Those that may hold a key.
  ///
  /// - Complexity: O(tables of the key's function, and value types of keys that may be anything).
  func tables(for key: CacheKey) -> [KnownTable] {
    let anything = rooms[""]?.values.flatMap { $0 } ?? []
    guard let prefix = key.functionPrefix, let room = rooms[prefix] else { return anything }
    return anything + room.values.joined()
  }

  /// The others that may hold a key of a table's, with values of the same type but for one
  /// `Optional`.
  ///
  /// - Parameters:
  ///   - id: the table.
  ///   - reach: what it may hold.
  ///   - form: the type of its values.
  ///   - prefix: with what the key begins, if it is that of a function.
  /// - Returns: the others.
  func relatives(
    of id: ObjectIdentifier,
    _ reach: KeyReach,
    _ form: ObjectIdentifier,
    prefix: String?
  ) -> [KnownTable] {
    var known = rooms[""]?[form] ?? []
    if let prefix, !prefix.isEmpty { known += rooms[prefix]?[form] ?? [] }
    return known.filter { $0.id != id && reach.meets($0.reach) }
  }

  /// Notes a table that was made, and tells those that may share a key with it.
  mutating func add(_ table: KnownTable, _ form: ObjectIdentifier) {
    var others = open[form] ?? []
    if table.reach.isOpen {
      others += closed[form]?.values.map { $0 } ?? []
      open[form, default: []].append(table)
    } else {
      others += rooms[table.reach.prefix]?[form] ?? []
      closed[form, default: [:]][table.id] = table
    }
    for other in others where table.reach.meets(other.reach) {
      table.kinship.begin()
      other.kinship.begin()
    }
    rooms[table.reach.prefix, default: [:]][form, default: []].append(table)
  }

  /// Forgets a table that is going away.
  mutating func remove(_ id: ObjectIdentifier, _ reach: KeyReach, _ form: ObjectIdentifier) {
    Self.remove(id, form, from: &rooms[reach.prefix, default: [:]])
    if rooms[reach.prefix]?.isEmpty == true { rooms[reach.prefix] = nil }
    if reach.isOpen { return Self.remove(id, form, from: &open) }
    closed[form]?[id] = nil
    if closed[form]?.isEmpty == true { closed[form] = nil }
  }

  private static func remove(
    _ id: ObjectIdentifier,
    _ form: ObjectIdentifier,
    from forms: inout Forms
  ) {
    forms[form]?.removeAll { $0.id == id }
    if forms[form]?.isEmpty == true { forms[form] = nil }
  }
}
