extension ShardCore {
  @usableFromInline var count: Int { table.count }
  var totalCost: Int { Int(clamping: table.totalCost) }

  /// A part of what is there, by count and by cost.
  @usableFromInline
  func part(_ fraction: Double) -> (count: Int, cost: Int64) {
    (
      Int(clamping: Double(table.count) * fraction),
      Int64(clamping: Double(table.totalCost) * fraction)
    )
  }

  /// How many entries the queues hold; for checks.
  var queued: Int { queues.count }

  @usableFromInline
  func storedAt(_ position: Int) -> Int64 { table.times.storedAt(position) }

  @usableFromInline
  func deadline(_ position: Int) -> Int64 { table.times.deadline(position) }

  @usableFromInline
  func keptUntil(_ position: Int) -> Int64 { table.times.keptUntil(position) }

  @usableFromInline
  func cost(_ position: Int) -> Int { table.cost(at: position) }

  @usableFromInline
  func terms(_ position: Int) -> EntryTerms? { table.terms[position] }

  @usableFromInline
  mutating func setNow(_ now: Int64) { table.now = now }
}
