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
  private let batch = AtomicLazyReference<Registration>()

  /// Makes a registration.
  ///
  /// - Parameters:
  ///   - isSuperseded: whether it is closed from the start, for what must never store.
  ///   - isWriter: whether it is an explicit write.
  init(isSuperseded: Bool = false, isWriter: Bool = false) {
    self.isWriter = isWriter
    superseded = Atomic(isSuperseded)
  }

  /// Whether it must not store any more; once `true` it stays so.
  ///
  /// Exact under the lock of the key's stripe, and a hint that never turns back elsewhere.
  var isSuperseded: Bool { superseded.load(ordering: .acquiring) }

  /// Closes it.
  ///
  /// Called under the lock of the key's stripe.
  func supersede() { superseded.store(true, ordering: .releasing) }

  /// Whether the flight has ended or was given up, so that nobody can wait for it any more.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// What stands in the graph of waits for the producer that makes the flight's value together with
  /// those of others.
  var producer: Registration? { batch.load() }

  /// Says whose producer makes the flight's value; once.
  func setProducer(_ producer: Registration) { _ = batch.storeIfNil(producer) }

  /// Notes that nobody can wait for the flight any more.
  func end() { over.store(true, ordering: .releasing) }
}
