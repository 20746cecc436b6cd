import Synchronization

// What other processes invalidate in a store that they share with this one.
//
// Reads of the store and the marks of loads see it at once, since the store looks before each of them. The memory
// tables hear of it here, once a second: what was invalidated by somebody else is stamped in the feature's own
// order, so that entries and loads that began before are out. In memory even what was only expired
// leaves: its record is still in the store, and says so.

extension FeatureCore {
  /// Whether a store of the feature can be invalidated by another process.
  var followsLedgers: Bool { tiers.contains { $0.store.loadMark != nil } }

  /// Where the invalidations of each tier stood at its last look.
  ///
  /// Whoever may put something into memory asks before it reads or writes a store. The first who asks
  /// fixes from where on the memory tables have to hear of invalidations: nothing in them is older.
  var loadMarks: [LoadMark?] {
    guard followsLedgers else { return [] }
    let marks = tiers.map(\.store.loadMark)
    knownMarks.withLock { known in
      if known.isEmpty { known = marks }
    }
    return marks
  }

  /// Looks at the ledgers for a load that reads no tier before it runs its producer.
  nonisolated(nonsending) func lookAtLedgers() async {
    for tier in tiers where tier.store.loadMark != nil {
      guard let operation = try? tier.operations.begin(.upkeep) else { continue }
      defer { tier.operations.end(operation) }
      // What cannot be looked at now keeps the older mark, with which a record may be out too soon.
      do { _ = try await tier.store.changes(since: nil) } catch {
        tier.report(.readFailed, nil, error)
      }
    }
  }

  /// Notes from where on the memory tables have to hear of invalidations, for a write, which needs no
  /// marks.
  func beginToFollowLedgers() { _ = loadMarks }

  /// Takes what others have invalidated out of memory.
  nonisolated(nonsending) func followLedgers() async {
    guard followsLedgers else { return }
    for (index, tier) in tiers.enumerated() where tier.store.loadMark != nil {
      guard let operation = try? tier.operations.begin(.upkeep) else { continue }
      defer { tier.operations.end(operation) }
      do {
        let mark = knownMarks.withLock { $0.indices.contains(index) ? $0[index] : nil }
        let changes = try await tier.store.changes(since: mark)
        apply(changes)
        knownMarks.withLock { known in
          if known.indices.contains(index) { known[index] = changes.mark }
        }
      } catch {
        tier.report(.readFailed, nil, error)
      }
    }
  }

  /// Invalidates in memory what was invalidated in a store.
  func apply(_ changes: StoreChanges) {
    if changes.isEverything { return invalidateMemory() }
    for invalidation in changes.invalidations where namespace.covers(invalidation.namespace) {
      if invalidation.selection == .everything, invalidation.namespace == namespace {
        return invalidateMemory()
      }
      var removal = invalidation
      removal.verb = .remove
      mark(removal, nil)
    }
  }

  private func invalidateMemory() {
    for table in tables { table.invalidateAll() }
  }
}
