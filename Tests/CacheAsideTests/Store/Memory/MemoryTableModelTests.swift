import Testing

@testable import CacheAside

/// One shard, driven with times of the test's choice, beside a dictionary.
@Suite(.timeLimit(.minutes(5))) struct MemoryTableModelTests {
  private struct Modelled {
    var value: Int
    var deadline: Int64
    var keptUntil: Int64
    var cost: Int
  }

  private static let tick: Int64 = 1 << 22
  private static let limits: [MemoryLimits] = [
    .unlimited, .count(1), .count(60), .cost(300), MemoryLimits(countLimit: 50, costLimit: 120),
    MemoryLimits(costLimit: 400, entryCostLimit: 7),
  ]

  /// A table and what is known about it.
  private struct Trial: ~Copyable {
    var table: MemoryTable<Int, Int>
    var model: [Int: Modelled] = [:]
    var random: SplitMix
    var now: Int64 = 1 << 50
    let limits: MemoryLimits

    init(_ limits: MemoryLimits, _ policy: EvictionPolicy, isExact: Bool, seed: UInt64) {
      let positions = PositionTable(now: now, isExact: isExact, keepsHashes: false)
      table = MemoryTable(
        core: ShardCore(limits: limits, policy: policy, table: positions),
        hasListener: false,
        integerWidth: 8,
        seed: 3
      )
      random = SplitMix(state: seed)
      self.limits = limits
    }

    func hash(_ key: Int) -> UInt64 {
      FoldedHash.fold(FoldedHash.bits(of: key, width: 8), seed: table.seed)
    }

    mutating func insert(_ key: Int, _ value: Int, shortLives: Bool) {
      let unit: Int64 = shortLives ? 1_000_000 : 1_000_000_000
      let fresh = Int64.random(in: -1...20, using: &random)
      let deadline = fresh > 15 ? Int64.max : now + fresh * unit
      let kept = deadline == .max ? nil : deadline + Int64.random(in: 0...9, using: &random) * unit
      let terms = InsertTerms(
        storedAt: now - Int64.random(in: 0...2, using: &random) * unit,
        deadline: deadline,
        keptUntil: kept,
        cost: Int.random(in: 0..<9, using: &random)
      )
      var displaced = Displaced<Int, Int>(from: 0, listening: nil)
      let isStored = table.insert(key, value, hash(key), terms, now: now, &displaced)
      let fits =
        terms.cost <= min(limits.entryCostLimit ?? .max, limits.costLimit ?? .max)
      #expect(isStored == (fits && (terms.keptUntil == .max || terms.keptUntil > now)))
      model[key] =
        isStored
        ? Modelled(
          value: value,
          deadline: deadline,
          keptUntil: terms.keptUntil,
          cost: terms.cost
        ) : nil
    }

    /// A read as the store does it.
    mutating func read(_ key: Int) -> Int? {
      let known = table.core.table.flags & PositionTable.clockFlags
      var isObstructed = false
      let value = table.hit(key, hash(key), now: now, isObstructed: &isObstructed)
      guard isObstructed else { return value }
      var displaced = Displaced<Int, Int>(from: 0, listening: nil)
      return table.attentiveHit(key, hash(key), now: now, known: known, &displaced)
    }

    mutating func remove(_ key: Int) {
      let slot = table.find(key, hash(key))
      var displaced = Displaced<Int, Int>(from: 0, listening: nil)
      if slot >= 0 { table.removeSlot(slot, .explicit, &displaced) }
      model[key] = nil
    }

    mutating func expire(_ key: Int) {
      let slot = table.find(key, hash(key))
      guard slot >= 0 else { return }
      let isKept = table.core.expire(
        table.position(slot),
        at: now,
        staleIfError: 0,
        keepExpired: .max
      )
      var displaced = Displaced<Int, Int>(from: 0, listening: nil)
      if !isKept { table.removeSlot(slot, .expired, &displaced) }
      let moment = now
      if let deadline = model[key]?.deadline { model[key]?.deadline = min(deadline, moment) }
    }

    mutating func sweep(all: Bool) {
      var displaced = Displaced<Int, Int>(from: 0, listening: nil)
      let words = table.core.table.index.words.count
      _ = table.removeExpired(
        slots: 0..<(all ? words : words / 2),
        staleToo: false,
        now: now,
        &displaced
      )
      table.sweep(steps: 7, now: now, &displaced)
    }

    mutating func trim() {
      var displaced = Displaced<Int, Int>(from: 0, listening: nil)
      _ = table.trim(count: table.core.count / 2, cost: .max, most: 99, now: now, &displaced)
    }

    mutating func removeAll() {
      var displaced = Displaced<Int, Int>(from: 0, listening: nil)
      table.removeAll(.invalidated, now: now, &displaced)
      model = [:]
    }

    /// Index, queues, costs, limits and entries agree with one another and with the model.
    func check() {
      var positions: Set<Int> = []
      var cost = 0
      var deadlines = 0
      table.forEachPosition { position in
        #expect(positions.insert(position).inserted)
        #expect(position < table.core.table.used)
        let (key, value) = unsafe (table.entries[position].key, table.entries[position].value)
        #expect(table.position(table.find(key, hash(key))) == position)
        let known = model[key]
        #expect(known?.value == value)
        #expect(known?.cost == table.core.cost(position))
        let late = (known?.deadline ?? 0) - table.core.deadline(position)
        #expect(known?.deadline == .max ? late == 0 : 0..<MemoryTableModelTests.tick ~= late)
        cost += table.core.cost(position)
        if table.core.deadline(position) != .max { deadlines += 1 }
      }
      #expect(table.core.count == positions.count)
      #expect(table.core.totalCost == cost)
      #expect(table.core.table.deadlineCount == deadlines)
      #expect(positions.count <= limits.countLimit ?? .max)
      #expect(cost <= limits.costLimit ?? .max)
      guard limits != .unlimited else { return }
      #expect(table.core.queued == positions.count)
      #expect(table.core.queues.window.cost + table.core.queues.main.cost == cost)
    }
  }

  @Test(arguments: EvictionPolicy.allCases, [false, true])
  func `a shard agrees with a dictionary after every operation`(
    policy: EvictionPolicy,
    isExact: Bool
  ) {
    for (number, limits) in Self.limits.enumerated() {
      var trial = Trial(limits, policy, isExact: isExact, seed: UInt64(number))
      for step in 0..<6_000 {
        let key = Int.random(in: 0..<150, using: &trial.random)
        switch Int.random(in: 0..<200, using: &trial.random) {
        // From the middle on some lives are below ten milliseconds: the table turns exact.
        case ..<70: trial.insert(key, step, shortLives: step > 3_000 && step % 5 == 0)
        case ..<130:
          let known = trial.model[key]
          let value = trial.read(key)
          if let value {
            #expect(value == known?.value)
            #expect(trial.now < known?.deadline ?? .min)
          } else if let known, limits == .unlimited {
            #expect(trial.now >= known.deadline - Self.tick)
          }
        case ..<150: trial.remove(key)
        case ..<160: trial.expire(key)
        case ..<180: trial.now += Int64.random(in: 0..<1_000_000_000, using: &trial.random)
        case ..<195: trial.sweep(all: step % 2 == 0)
        // Without limits, what is missing has expired.
        case ..<199: if limits != .unlimited { trial.trim() }
        default: trial.removeAll()
        }
        if step % 3 == 0 { trial.check() }
      }
      // Every entry can still be evicted, so every one is linked.
      var displaced = Displaced<Int, Int>(from: 0, listening: nil)
      let count = trial.table.core.count
      let evicted = trial.table.trim(
        count: 0,
        cost: 0,
        most: .max,
        now: trial.now,
        &displaced
      )
      #expect(evicted == count)
      #expect(trial.table.core.count == 0)
    }
  }
}
