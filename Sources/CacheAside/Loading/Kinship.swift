import Synchronization

/// Whether a table shares keys with another one, so that what is written to it concerns that, too.
///
/// It knows no types, so that a write from a client module can look at it.
@usableFromInline
final class Kinship: Sendable {
  private let begun = Atomic<Bool>(false)
  // A write reads it, and only the making of a table sets it.
  @usableFromInline var hasRelatives: Bool { begun.load(ordering: .acquiring) }

  init() {}

  /// Says that there is such a table; it stays so.
  func begin() { begun.store(true, ordering: .releasing) }
}
