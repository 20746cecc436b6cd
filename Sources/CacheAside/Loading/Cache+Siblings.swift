// Tables of one feature that may hold the same key with values of the same type, but for one
// `Optional`, hold forms of one entry: `User` and `User?` of one key (K4), and the tables of a named
// function and of `CacheKey` where the one's key prints as the other's. The form that was stored last
// stays; a miss of one table looks into the others.
//
// Which tables those are is known by the beginning of the key (`TableDirectory`), and a table that
// has no relatives pays nothing. In a table keyed by arguments, a key that was printed is found by
// its digest (`KeyIndex`).

/// A value of a related table.
struct SiblingForm {
  let value: any Sendable
  let storedAt: Int64
  let deadline: Int64
  let terms: EntryTerms?
}

extension Cache {
  var bareType: ObjectIdentifier {
    ObjectIdentifier((Value.self as? any AnyOptional.Type)?.wrappedType ?? Value.self)
  }

  /// Calls a function with this table's keys for that of a relative.
  private func forEachKey(_ key: RelatedKey, _ body: (Key) -> Void) {
    if let own = key.own(as: Key.self, tableName: tableName) { return body(own) }
    forEachKey(printedAs: key.printed, body)
  }

  func freshForm(_ key: RelatedKey, now: Int64) -> SiblingForm? {
    var form: SiblingForm?
    forEachKey(key) { own in
      guard form == nil, let entry = memory.entry(for: own, hash: memory.hash(of: own)),
        now < entry.deadline
      else { return }
      form = SiblingForm(
        value: entry.value,
        storedAt: entry.storedAt,
        deadline: entry.deadline,
        terms: entry.terms
      )
    }
    return form
  }

  func giveUpForm(_ key: RelatedKey) { forEachKey(key) { invalidateTyped($0) } }

  func giveUpForm(_ key: RelatedKey, storedBy moment: Int64) {
    forEachKey(key) { own in
      let hash = memory.hash(of: own)
      flights.closeReaders(own, hash: hash)
      memory.remove(own, hash: hash, storedBy: moment)
      forgetFailure(own, hash)
    }
  }

  /// The tables that may hold other forms of a key's value.
  private func siblings(_ key: Key) -> [any CacheTable] {
    guard kinship.hasRelatives else { return [] }
    let prefix = reach.isOpen ? (key as? CacheKey)?.functionPrefix : reach.prefix
    return core.relatives(of: self, prefix: prefix)
  }

  private func related(_ key: Key) -> RelatedKey {
    RelatedKey(key, tableName: tableName) { [self] in storeKey(key) }
  }

  /// A fresh value that another table holds in another form.
  func siblingHit(_ key: Key) -> Loaded<Value>? {
    let siblings = siblings(key)
    if siblings.isEmpty { return nil }
    let (related, now) = (related(key), core.time.precise)
    for sibling in siblings {
      guard let form = sibling.freshForm(related, now: now), let value = form.value as? Value
      else { continue }
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
    let siblings = siblings(key)
    if siblings.isEmpty { return }
    let related = related(key)
    for sibling in siblings { sibling.giveUpForm(related) }
  }

  /// The same after this table stored one that was loaded at a moment: what was written after it stays,
  /// and takes this one out in its turn.
  func supersedeSiblings(_ key: Key, storedBy moment: Int64) {
    let siblings = siblings(key)
    if siblings.isEmpty { return }
    let related = related(key)
    for sibling in siblings { sibling.giveUpForm(related, storedBy: moment) }
  }
}
