// The storing of several loads: every tier gets all of them in one operation, slowest first, memory
// last, as `store` does with one.

/// One of several values to store.
struct StoringItem<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let produced: Produced<Value>
  let slot: Slot<Key>
  /// The call that it is loaded for, under a trace.
  var note: CallNote?
}

extension Cache {
  private struct Planned: Sendable {
    let plan: StoringPlan<Value>
    let terms: EntryTerms?
    let slot: Slot<Key>
    let note: CallNote?
    let index: Int
    var entry: CacheEntry?
    var failure: (any Error)?
  }

  /// Stores produced values in every tier, slowest first, and in memory.
  ///
  /// - Parameters:
  ///   - items: the values with their places, each key once.
  ///   - terms: the terms of all.
  ///   - loadTime: how long their load took.
  /// - Returns: what the waiters of each get, or the error of ``store(_:terms:storing:loadTime:previous:at:)``.
  func storeAll(
    _ items: [StoringItem<Key, Value>],
    _ terms: LoadTerms,
    _ loadTime: Int64
  ) async -> [Result<Loaded<Value>, any Error>] {
    var results: [Result<Loaded<Value>, any Error>] = []
    var planned: [Planned] = []
    for (index, item) in items.enumerated() {
      do {
        let plan = try plan(item.produced, terms, nil, loadTime, nil, item.slot)
        let entryTerms = makeTerms(plan, item.slot)
        results.append(.success(plan.loaded(carrying: entryTerms)))
        guard plan.isStored else { continue }
        planned.append(
          Planned(plan: plan, terms: entryTerms, slot: item.slot, note: item.note, index: index)
        )
      } catch { results.append(.failure(error)) }
    }
    if core.hasTiers {
      for item in planned { barrier(item) { core.barriers.raise($0, $1) } }
      await writeToTiers(&planned)
    }
    for item in planned {
      if let failure = item.failure {
        forget(item.plan, at: item.slot)
        results[item.index] = .failure(failure)
      } else {
        item.note.running {
          insert(item.plan, item.terms, payload: item.entry?.payload, at: item.slot)
        }
      }
      if core.hasTiers { barrier(item) { core.barriers.lower($0, $1) } }
    }
    return results
  }

  private func barrier(_ item: Planned, _ move: (CacheKey, WriteBarriers.Storer) -> Void) {
    if let storeKey = item.slot.storeKey { move(storeKey, storer(item.slot)) }
  }

  private func writeToTiers(_ planned: inout [Planned]) async {
    for index in planned.indices where planned[index].plan.lifetime.isPositive {
      guard let storeKey = planned[index].slot.storeKey else { continue }
      var failure: (any Error)?
      planned[index].entry = encode(planned[index].plan, storeKey, &failure)
      planned[index].failure = failure
    }
    for (index, tier) in core.tiers.enumerated().reversed() {
      let writes = planned.compactMap { item in
        item.slot.storeKey.map { storeKey in
          TierWrite(
            key: storeKey,
            change: (item.failure == nil ? item.entry : nil).map {
              .set($0, item.slot.mark(index))
            } ?? .remove,
            isSuperseded: isClosed(
              item.slot.registration,
              storeKey,
              storer(item.slot),
              item.terms
            ),
            note: item.note
          )
        }
      }
      let failures = await tier.write(writes)
      for index in planned.indices where planned[index].failure == nil {
        planned[index].failure = planned[index].slot.storeKey.flatMap { failures[$0] }
      }
    }
  }
}
