import Testing

@testable import CacheAside

/// One shard beside a dictionary: lives, moments of attention, tags, pins, costs and limits in every order.
@Suite(.timeLimit(.minutes(60))) struct MemoryTableModelTests {
  private static let limits: [MemoryLimits] = [
    .unlimited, .count(1), .count(60), .cost(300), MemoryLimits(countLimit: 50, costLimit: 120),
    MemoryLimits(costLimit: 400, entryCostLimit: 7),
  ]

  @Test(arguments: EvictionPolicy.allCases, [false, true])
  func `a shard agrees with a dictionary after every operation`(
    policy: EvictionPolicy,
    isExact: Bool
  ) {
    for (number, limits) in Self.limits.enumerated() {
      var model = MemoryTableModel(limits, policy, isExact: isExact, seed: UInt64(number))
      for step in 0..<4_500 {
        let key = Int.random(in: 0..<150, using: &model.random)
        switch Int.random(in: 0..<212, using: &model.random) {
        // From the middle on some lives are below ten milliseconds: the table turns exact.
        case ..<70: model.insert(key, step, shortLives: step > 2_200 && step % 5 == 0)
        case ..<130: model.read(key)
        case ..<150: model.remove(key)
        case ..<160: model.expire(key)
        case ..<168: model.postponeAttention(key)
        case ..<172: model.invalidate()
        case ..<192: model.now += Int64.random(in: 0..<1_000_000_000, using: &model.random)
        case ..<207: model.sweep(all: step % 2 == 0)
        // Without limits, what is missing is over.
        case ..<211: if limits != .unlimited { model.trim() }
        default: model.removeAll()
        }
        if step % 3 == 0 { model.check() }
      }
      // Every entry that is not pinned can still be evicted, so every one is linked.
      var displaced = Displaced<Int, Int>(from: 0, listening: nil)
      let (count, pinned) = (model.table.core.count, model.table.core.table.carried.pinned)
      let evicted = model.table.trim(
        count: 0,
        cost: 0,
        most: .max,
        now: model.now,
        &displaced
      )
      #expect(evicted == count - pinned)
      #expect(model.table.core.count == pinned)
    }
  }
}
