// What a batch's producer leaves out is absent, and that is remembered: as the nil of the optional form
// of the value (K4), in the table that `cached` uses for a producer that returns an optional. So a
// call of that form gets nil, one of the plain form a miss, and whatever form is stored last stays. The
// table is made when something is absent for the first time. Where the values are optional themselves,
// absent is their own nil.

/// The end of a batch's flight whose key is absent.
///
/// Callers of one key that joined it look again, with producers of their own; those of batches know
/// that there is nothing. It never reaches a user.
struct AbsentKey: Error {
  /// The slower tier that knew of it; `nil` when the producer left it out.
  var tier: String?
  /// What its record carries.
  var terms: EntryTerms?
}

/// Where the absence of a batch's keys is remembered.
struct Absences<Value: Sendable>: Sendable {
  let tables: TableRegistry

  /// The value that says so where the values are optional themselves.
  static var ownNil: Value? {
    (Value.self as? any AnyOptional.Type).flatMap { $0.absent as? Value }
  }

  /// What a producer that leaves such a key out has answered.
  static var own: Produced<Value>? { ownNil.map { Produced($0) } }

  /// The table of the optional form.
  var table: Cache<CacheKey, Value?> {
    tables.table(CacheKey.self, Value?.self, strategy: .identity)
  }

  /// Whether a key is known to be absent; counted as a hit.
  func hold(_ key: CacheKey, anyAge: Bool = false) -> Bool {
    guard Self.ownNil == nil, let table = tables.known(CacheKey.self, Value?.self),
      let entry = table.memory.entry(for: key, hash: table.memory.hash(of: key)),
      entry.value == nil
    else { return false }
    let isFresh = table.core.time.precise < entry.deadline
    guard isFresh || anyAge else { return false }
    (isFresh ? table.core.counters.lateHits : table.core.counters.staleServed).add()
    return true
  }

  /// A place for a key's absence.
  ///
  /// - Returns: `nil` if the load that found it out was superseded; else unregister it.
  func slot(for slot: Slot<CacheKey>) -> Slot<CacheKey>? {
    let table = table
    let hash = table.memory.hash(of: slot.key)
    let registration = table.flights.register(slot.key, hash: hash)
    // Whatever supersedes the load from now on closes this registration, too.
    if slot.registration.isSuperseded {
      table.flights.unregister(registration, key: slot.key, hash: hash)
      return nil
    }
    return Slot(
      key: slot.key,
      hash: hash,
      storeKey: slot.storeKey,
      registration: registration,
      begun: slot.begun,
      marks: slot.marks
    )
  }

  /// Remembers in memory and in faster tiers what a slower one says is absent.
  func promote(
    _ absence: BulkLook<Value>.Absence,
    _ storeKey: CacheKey,
    _ slot: Slot<CacheKey>
  ) async {
    let table = table
    guard let own = self.slot(for: slot) else { return }
    defer { table.flights.unregister(own.registration, key: own.key, hash: own.hash) }
    let tier = table.core.tiers[absence.index]
    guard case .usable(let loaded) = table.judge(absence.entry, storeKey, tier, anyAge: false)
    else { return }
    let found = Found<Value?>(loaded: loaded, entry: absence.entry, index: absence.index)
    await table.promote(found, storeKey, own)
  }
}

extension Result {
  /// What a batch's caller is told about a key.
  static func answer<Value: Sendable>(_ value: Value) -> Self where Success == Value? {
    (value as? any AnyOptional)?.isAbsent == true ? .success(nil) : .success(value)
  }
}
