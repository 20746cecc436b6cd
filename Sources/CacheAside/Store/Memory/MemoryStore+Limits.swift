import Synchronization

extension MemoryStore {
  /// What the store may hold.
  public var limits: MemoryLimits { currentLimits.withLock { $0 } }

  /// Changes what the store may hold, and evicts at once what is too much; pinned entries stay.
  ///
  /// The number of shards stays that of the first limits: after a great reduction their parts are
  /// small, and those that get none store nothing.
  ///
  /// - Parameter limits: the new limits, of the same kinds as before.
  /// - Throws: `CacheError` with the code `invalidConfiguration` when a limit is negative, or when
  ///   a limit on count or cost would come or go, since an unlimited store keeps no order of its
  ///   entries.
  public func setLimits(_ limits: MemoryLimits) throws {
    try currentLimits.withLock { current in
      try current.checkChange(to: limits)
      current = limits
      for index in 0...shardMask {
        let part = limits.part(of: index, among: shardCount)
        withTable(index) { $0.core.setLimits(part) }
      }
    }
    holdNotices()
    defer { releaseNotices() }
    let now = clockNow()
    for index in 0...shardMask {
      var isDone = false
      while !isDone {
        var displaced = displaced(from: index)
        isDone = withTable(index) { $0.shrink(most: 256, now: now, &displaced) } < 256
      }
    }
  }
}

extension MemoryLimits {
  /// Refuses limits that a running store cannot change to.
  func checkChange(to limits: MemoryLimits) throws {
    try limits.validate()
    guard (limits.countLimit == nil) == (countLimit == nil),
      (limits.costLimit == nil) == (costLimit == nil)
    else {
      throw CacheError(
        .invalidConfiguration,
        "a limit on count or cost cannot come or go while the store runs; change its value only"
      )
    }
  }
}

extension MemoryTable {
  /// Evicts a few entries while there are more than the limits allow.
  mutating func shrink(
    most: Int,
    now: Int64,
    _ displaced: inout Displaced<Key, Value>
  ) -> Int {
    var removed = 0
    core.setNow(now)
    while removed < most, let victim = core.nextVictim() {
      displace(victim.position, victim.reason, &displaced)
      removed += 1
    }
    return removed
  }
}
