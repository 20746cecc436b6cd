// Two tables of one feature whose value types differ by one `Optional` hold forms of the same
// value (K4): `User` and `User?` of one key are one entry. The form that was stored last stays; a
// miss of one table looks into the other.

/// A table as another one with the same key type sees it.
protocol SiblingTable<Key>: CacheTable {
  associatedtype Key: Hashable & Sendable

  /// The named form's name; `nil` for keys of other forms.
  var tableName: String? { get }
  /// The value type, one `Optional` stripped.
  var bareType: ObjectIdentifier { get }
  /// A fresh value of memory with its times, whatever its static type.
  func freshForm(_ key: Key, now: Int64) -> SiblingForm?
  /// Gives up the table's form of a key, since another form was written.
  func giveUpForm(_ key: Key)
  /// Gives up the form if it was not stored after a moment, since another was loaded then; writes that
  /// have begun go on.
  func giveUpForm(_ key: Key, storedBy moment: Int64)
}

/// A value of a sibling table.
struct SiblingForm {
  let value: any Sendable
  let storedAt: Int64
  let deadline: Int64
  let terms: EntryTerms?
}

extension Cache: SiblingTable {
  var bareType: ObjectIdentifier {
    ObjectIdentifier((Value.self as? any AnyOptional.Type)?.wrappedType ?? Value.self)
  }

  func freshForm(_ key: Key, now: Int64) -> SiblingForm? {
    guard let entry = memory.entry(for: key, hash: memory.hash(of: key)), now < entry.deadline
    else {
      return nil
    }
    return SiblingForm(
      value: entry.value,
      storedAt: entry.storedAt,
      deadline: entry.deadline,
      terms: entry.terms
    )
  }

  func giveUpForm(_ key: Key) { invalidateTyped(key) }

  func giveUpForm(_ key: Key, storedBy moment: Int64) {
    let hash = memory.hash(of: key)
    flights.closeReaders(key, hash: hash)
    memory.remove(key, hash: hash, storedBy: moment)
    forgetFailure(key, hash)
  }

  /// The tables that hold other forms of this table's values.
  private var siblings: [any SiblingTable<Key>] {
    guard core.hasSeveralTables else { return [] }
    return core.tables.compactMap { table in
      guard table !== self, let sibling = table as? any SiblingTable<Key>,
        sibling.bareType == bareType, sibling.tableName == tableName
      else { return nil }
      return sibling
    }
  }

  /// A fresh value that another table holds in another form.
  func siblingHit(_ key: Key) -> Loaded<Value>? {
    let now = core.time.precise
    for sibling in siblings {
      guard let form = sibling.freshForm(key, now: now), let value = form.value as? Value else {
        continue
      }
      return Loaded(
        value: value,
        source: .memory,
        storedAt: form.storedAt,
        deadline: form.deadline,
        terms: form.terms
      )
    }
    return nil
  }

  /// Takes the key out of the tables with other forms, after this table was given one.
  @usableFromInline
  func supersedeSiblings(_ key: Key) {
    for sibling in siblings { sibling.giveUpForm(key) }
  }

  /// The same after this table stored one that was loaded at a moment: what was written after it stays,
  /// and takes this one out in its turn.
  func supersedeSiblings(_ key: Key, storedBy moment: Int64) {
    for sibling in siblings { sibling.giveUpForm(key, storedBy: moment) }
  }
}
