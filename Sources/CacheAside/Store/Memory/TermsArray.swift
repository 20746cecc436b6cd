// The terms of entries by position: references that are retained here, eight bytes a position.
//
// Invariants: a reference that is set is retained once; that of a free position is not set. Terms
// hold no objects of the user's, so they may be released under a lock.

/// A reference that is retained by its owner's own bookkeeping.
@safe @frozen @usableFromInline
struct TermsReference: BitwiseCopyable {
  @usableFromInline let object: Unmanaged<EntryTerms>?

  init(retaining terms: EntryTerms?) {
    unsafe object = terms.map { unsafe Unmanaged.passRetained($0) }
  }

  /// How long idleness and life may last; does not retain.
  var idle: (length: Int64, maximum: Int64)? {
    unsafe object.map { unsafe $0._withUnsafeGuaranteedRef { ($0.idle, $0.idleMaximum) } }
  }

  var terms: EntryTerms? { unsafe object?.takeUnretainedValue() }

  func release() { unsafe object?.release() }
}

// Its `deinit` is inlinable because that of a table is, which the optimiser puts it into.
@frozen @usableFromInline
struct TermsArray: ~Copyable {
  @usableFromInline var references: RawArray<TermsReference>

  init() { references = RawArray(repeating: TermsReference(retaining: nil), count: 0) }

  @inlinable deinit { releaseAll() }

  @usableFromInline
  func releaseAll() {
    for position in 0..<references.count { references[position].release() }
  }

  /// Whether no entry ever had terms.
  var isEmpty: Bool { references.isEmpty }

  /// Enlarges the array, or makes it.
  mutating func resize(positions: Int) {
    references = references.resized(to: positions, filling: TermsReference(retaining: nil))
  }

  /// How long an entry may be idle and live; there must be entries with terms.
  func idle(_ position: Int) -> (length: Int64, maximum: Int64)? { references[position].idle }

  subscript(position: Int) -> EntryTerms? {
    get { isEmpty ? nil : references[position].terms }
    set {
      let old = references[position]
      references[position] = TermsReference(retaining: newValue)
      old.release()
    }
  }
}
