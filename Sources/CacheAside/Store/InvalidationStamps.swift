import Synchronization

// The order of invalidations by tag and namespace inside a process: O(1) each, whatever they reach.
//
// The sequence moves only when something is invalidated. A load notes where it stood when it began;
// its entry is out, or expired by hand, as soon as one of its tags, all tags of a stamp that names
// several, or its namespace carries a newer stamp. One for each feature; a leaf lock, taken under the
// locks of memory shards and flight stripes. Bounded, as `StampBook` says.

/// The stamps of one feature.
@usableFromInline
final class InvalidationStamps: Sendable {
  /// What becomes of something whose load began at some time.
  enum Verdict: Equatable {
    /// Nothing has reached it.
    case current
    /// It was removed.
    case out
    /// It was expired by hand; no stamp up to a number in the sequence says more.
    case expired(HandExpiry, upTo: UInt64)
  }

  private let book: Lock<StampBook>
  private let sequence = Atomic<UInt64>(0)

  init(limit: Int = 10_000) { book = Lock(StampBook(limit: limit)) }

  /// Where the sequence stands: what a load that begins now has to note.
  var now: UInt64 { sequence.load(ordering: .acquiring) }

  /// Stamps tags: entries that carry one of them, whose loads began up to now, are out, or expired.
  func stamp(tags: [Tag], _ expiry: HandExpiry? = nil) {
    change { book, sequence in
      for tag in tags { book.stamp(tag, Stamp(sequence: sequence, expiry: expiry)) }
    }
  }

  /// Stamps entries that carry all of some tags.
  func stamp(allOf tags: [Tag], _ expiry: HandExpiry? = nil) {
    guard !tags.isEmpty else { return }
    change { book, sequence in
      book.stamp(allOf: tags, Stamp(sequence: sequence, expiry: expiry))
    }
  }

  /// Stamps a scope, and with it every scope that contains it.
  func stamp(_ scope: CacheScope, _ expiry: HandExpiry? = nil) {
    change { book, sequence in
      book.stamp(scope, Stamp(sequence: sequence, expiry: expiry))
    }
  }

  private func change(_ body: (inout StampBook, UInt64) -> Void) {
    book.withLock { book in
      body(&book, sequence.add(1, ordering: .acquiringAndReleasing).newValue)
    }
  }

  /// What the invalidations since its load began have made of something that carries these terms.
  func verdict(_ terms: EntryTerms) -> Verdict {
    guard terms.isSelectable, terms.begun < now else { return .current }
    return book.withLock { book in
      guard let stamp = book.verdict(terms) else { return .current }
      guard let expiry = stamp.expiry else { return .out }
      return .expired(expiry, upTo: sequence.load(ordering: .relaxed))
    }
  }

  /// Whether something that carries these terms has been removed since its load began.
  func isOut(_ terms: EntryTerms) -> Bool { verdict(terms) == .out }

  /// Whether it has been removed or expired since, so that it must not be stored any more.
  func reach(_ terms: EntryTerms) -> Bool { verdict(terms) != .current }
}
