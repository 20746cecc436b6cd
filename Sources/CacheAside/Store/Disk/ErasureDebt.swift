import Synchronization

/// How much was removed and not erased yet: a number of removals, and up to which of them all is erased.
final class ErasureDebt: Sendable {
  private let removals = Atomic<Int>(0)
  private let erased = Atomic<Int>(0)

  /// Whether something is left to erase.
  var isOwed: Bool { target != erased.load(ordering: .acquiring) }

  /// What is erased when all that is there now is.
  var target: Int { removals.load(ordering: .acquiring) }

  /// Notes a removal.
  func note() { removals.add(1, ordering: .acquiringAndReleasing) }

  /// Notes that everything up to a target is erased.
  func settle(_ target: Int) { erased.max(target, ordering: .acquiringAndReleasing) }
}
