import Synchronization

/// The identity of something that may store later: a flight, a promotion, an explicit write.
///
/// It is open while it stands in the flight table. `set`, `remove`, `expire` and their like close
/// it for good and take it out, so that nothing per key outlives them; ending or unregistering
/// closes it too. Only an open registration may store (see ``FlightTable/commit(_:key:hash:_:)``).
final class Registration: Sendable {
  /// Whether it is an explicit write, which only a later change closes.
  let isWriter: Bool
  private let superseded: Atomic<Bool>
  private let over = Atomic<Bool>(false)
  private let committed: Atomic<Bool>

  /// Makes a registration.
  ///
  /// - Parameters:
  ///   - isSuperseded: whether it is closed from the start, for what must never store.
  ///   - isWriter: whether it is an explicit write.
  ///   - isCommitted: whether memory has its value already.
  init(isSuperseded: Bool = false, isWriter: Bool = false, isCommitted: Bool = false) {
    self.isWriter = isWriter
    superseded = Atomic(isSuperseded)
    committed = Atomic(isCommitted)
  }

  /// Whether it must not store any more; once `true` it stays so.
  ///
  /// Exact under the lock of the key's stripe, and a hint that never turns back elsewhere.
  var isSuperseded: Bool { superseded.load(ordering: .acquiring) }

  /// Closes it.
  ///
  /// Called under the lock of the key's stripe.
  func supersede() { superseded.store(true, ordering: .releasing) }

  /// Whether memory has its value; exact under the lock of the key's stripe.
  var isCommitted: Bool { committed.load(ordering: .acquiring) }

  /// Notes that memory has its value.
  ///
  /// Called under the lock of the key's stripe.
  func commit() { committed.store(true, ordering: .releasing) }

  /// Whether the flight has ended or was given up, so that nobody can wait for it any more.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// Notes that nobody can wait for the flight any more.
  func end() { over.store(true, ordering: .releasing) }
}
