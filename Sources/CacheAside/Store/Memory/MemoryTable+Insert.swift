/// When a value was stored, stops being fresh and stops being kept, with what it costs and carries.
@frozen @usableFromInline
struct InsertTerms {
  @usableFromInline let storedAt: Int64
  @usableFromInline let deadline: Int64
  @usableFromInline let keptUntil: Int64
  /// When a hit has to go the slow way, at the latest at its deadline; `Int64.max` is then.
  @usableFromInline let attentionAt: Int64
  @usableFromInline let cost: Int
  @usableFromInline let terms: EntryTerms?
  /// Whether it is the value that is there, with new times: nothing is removed then.
  @usableFromInline let isRenewal: Bool

  @inlinable
  init(
    storedAt: Int64,
    deadline: Int64,
    keptUntil: Int64?,
    cost: Int,
    terms: EntryTerms? = nil,
    attentionAt: Int64? = nil,
    isRenewal: Bool = false
  ) {
    self.isRenewal = isRenewal
    self.storedAt = storedAt
    self.deadline = deadline
    self.keptUntil = max(deadline, keptUntil ?? deadline)
    self.attentionAt = attentionAt ?? .max
    self.cost = max(0, cost)
    self.terms = terms
  }

  /// The same with the deadline of an entry that expires by idleness, when it is such a one.
  @usableFromInline
  func settled(at now: Int64) -> InsertTerms {
    guard let terms, terms.idle > 0 else { return self }
    let latest = Lifetime.sum(storedAt, terms.idleMaximum)
    let end = min(deadline, Lifetime.sum(now, terms.idle), latest)
    let length = deadline == .max ? 0 : keptUntil == .max ? .max : keptUntil - deadline
    return InsertTerms(
      storedAt: storedAt,
      deadline: end,
      keptUntil: Lifetime.sum(end, length),
      cost: cost,
      terms: terms,
      attentionAt: attentionAt,
      isRenewal: isRenewal
    )
  }
}

extension MemoryTable {
  /// Stores a value, making room first; tells whether it was stored.
  @inlinable
  mutating func insert(
    _ key: Key,
    _ value: Value,
    _ hash: UInt64,
    _ terms: InsertTerms,
    now: Int64,
    _ displaced: inout Displaced<Key, Value>
  ) -> Bool {
    let slot = find(key, hash)
    let arrival = core.arrive(
      at: slot < 0 ? -1 : position(slot),
      terms,
      now: now
    )
    switch arrival {
    case .overwrite where terms.isRenewal:
      renew(slot, value, terms, &displaced)
      return true
    case .overwrite where displaced.generation < ListenerCall.lastGeneration:
      overwrite(slot, value, terms, &displaced)
      return true
    case .refuse(let reason):
      if slot >= 0, let reason { removeSlot(slot, reason, &displaced) }
      return false
    case .overwrite, .store:
      if displaced.generation >= ListenerCall.lastGeneration,
        slot >= 0 || core.hasToEvict(for: terms.cost)
      {
        if slot >= 0 { removeSlot(slot, .capacity, &displaced) }
        core.noteRejection()
        return false
      }
      if case .store(let reason) = arrival, slot >= 0 {
        if terms.isRenewal, reason == .replaced {
          displaced.append(unsafe (entries + core.removeForRenewal(slot: slot)).move())
        } else {
          removeSlot(slot, reason, &displaced)
        }
      }
    }
    core.miss(hash, cost: terms.cost)
    sweep(steps: 4, now: now, &displaced)
    while let victim = core.nextVictim(adding: terms.cost) {
      displace(victim.position, victim.reason, &displaced)
    }
    if core.table.isFull { grow() }
    let position = core.place(hash: hash, terms)
    unsafe (entries + position).initialize(to: Slot(key: key, value: value))
    return true
  }

  @inlinable
  mutating func overwrite(
    _ slot: Int,
    _ value: Value,
    _ terms: InsertTerms,
    _ displaced: inout Displaced<Key, Value>
  ) {
    let position = position(slot)
    core.overwrite(slot: slot, position: position, terms)
    let key = unsafe entries[position].key
    displace(position, .replaced, &displaced)
    unsafe (entries + position).initialize(to: Slot(key: key, value: value))
  }

  /// Gives the value that is there new times; the listener has nothing to be told.
  @inlinable
  mutating func renew(
    _ slot: Int,
    _ value: Value,
    _ terms: InsertTerms,
    _ displaced: inout Displaced<Key, Value>
  ) {
    let position = position(slot)
    core.overwrite(slot: slot, position: position, terms)
    let old = unsafe (entries + position).move()
    unsafe (entries + position).initialize(to: Slot(key: old.key, value: value))
    displaced.append(old)
  }

  /// Looks at some slots for entries that are kept no longer or were invalidated, and removes them.
  @inlinable @discardableResult
  mutating func sweep(
    steps: Int,
    now: Int64,
    _ displaced: inout Displaced<Key, Value>
  ) -> Int {
    var budget = steps
    var removed = 0
    while let slot = core.nextDead(budget: &budget, now: now) {
      removeSlot(slot, .expired, &displaced)
      removed += 1
    }
    return removed + clean(steps: steps, &displaced)
  }

  /// Looks at some positions for entries that were invalidated by tag or namespace and removes them.
  @inlinable @discardableResult
  mutating func clean(steps: Int, _ displaced: inout Displaced<Key, Value>) -> Int {
    var budget = steps
    var removed = 0
    while let (slot, reason) = core.nextOut(budget: &budget) {
      removeSlot(slot, reason, &displaced)
      removed += 1
    }
    return removed
  }

  /// Removes the expired among a range of slots.
  @inlinable
  mutating func removeExpired(
    slots: Range<Int>,
    staleToo: Bool,
    now: Int64,
    _ displaced: inout Displaced<Key, Value>
  ) -> Int {
    var removed = 0
    for slot in slots.clamped(to: 0..<core.table.index.words.count) {
      // Removal moves a later word into the slot.
      while core.isExpired(slot: slot, staleToo: staleToo, now: now) {
        removeSlot(slot, .expired, &displaced)
        removed += 1
      }
    }
    return removed
  }

  /// Removes everything and gives the memory back.
  @inlinable
  mutating func removeAll(
    _ reason: RemovalReason,
    now: Int64,
    _ displaced: inout Displaced<Key, Value>
  ) {
    for slot in 0..<core.table.index.words.count where core.table.index.words[slot] != 0 {
      displace(position(slot), reason, &displaced)
    }
    unsafe Self.deallocate(entries, core.table.capacity)
    unsafe entries = Self.allocate(0)
    core.removeAll(reason: reason, now: now)
  }
}
