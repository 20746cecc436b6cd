public import Synchronization

/// Whether any error of a table was ever remembered, or any of its producers ever rested.
///
/// Of no type but its own, since whoever writes at once asks it in the client's copy, where the tables
/// of errors and rests would be asked by unspecialised code.
@usableFromInline
final class FailureFlag: Sendable {
  @usableFromInline let raised = Atomic<Bool>(false)

  /// Whether there may be something to forget.
  @inlinable
  var isRaised: Bool { @inline(__always) get { raised.load(ordering: .acquiring) } }

  /// Notes that there will be; comes before what is noted.
  func raise() { raised.store(true, ordering: .sequentiallyConsistent) }
}
