import Synchronization

// The order of invalidations by tag and namespace inside a process: O(1) each, whatever they reach.
//
// The sequence moves only when something is invalidated. A load notes where it stood when it began;
// its entry is out as soon as one of its tags, or its namespace, carries a newer stamp. One for each
// feature; a leaf lock, taken under the locks of memory shards and flight stripes. Bounded: beyond the
// bound everything selectable that began before is out, which loses entries, never an invalidation.

/// The stamps of one feature.
@usableFromInline
final class InvalidationStamps: Sendable {
  private struct State {
    var tags: [Tag: UInt64] = [:]
    var namespaces: [Namespace: UInt64] = [:]
    /// Older loads of anything that carries a tag or a scope are out.
    var floor: UInt64 = 0

    mutating func makeRoom(_ limit: Int, at stamp: UInt64) {
      guard tags.count + namespaces.count >= limit else { return }
      floor = stamp
      tags = [:]
      namespaces = [:]
    }
  }

  private let state = Lock(State())
  private let sequence = Atomic<UInt64>(0)
  private let limit: Int

  init(limit: Int = 10_000) { self.limit = limit }

  /// Where the sequence stands: what a load that begins now has to note.
  var now: UInt64 { sequence.load(ordering: .acquiring) }

  /// Stamps tags: their entries whose loads began up to now are out.
  func stamp(tags: [Tag]) {
    state.withLock { state in
      let stamp = sequence.add(1, ordering: .acquiringAndReleasing).newValue
      for tag in tags {
        state.makeRoom(limit, at: stamp)
        state.tags[tag] = stamp
      }
    }
  }

  /// Stamps a scope's namespace.
  func stamp(_ namespace: Namespace) {
    state.withLock { state in
      let stamp = sequence.add(1, ordering: .acquiringAndReleasing).newValue
      state.makeRoom(limit, at: stamp)
      state.namespaces[namespace] = stamp
    }
  }

  /// Whether something that carries these terms has been invalidated since its load began.
  func isOut(_ terms: EntryTerms) -> Bool {
    guard terms.isSelectable, terms.begun < now else { return false }
    return state.withLock { state in
      if terms.begun < state.floor { return true }
      if let namespace = terms.namespace, let stamp = state.namespaces[namespace],
        terms.begun < stamp
      {
        return true
      }
      return terms.tags.contains { tag in state.tags[tag].map { terms.begun < $0 } ?? false }
    }
  }
}
