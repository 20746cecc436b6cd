import Synchronization

/// The identity of something that may store later: a flight, a promotion, an explicit write.
///
/// It is open while it stands in the flight table. `set`, `remove`, `expire` and their like close
/// it for good and take it out, so that nothing per key outlives them; ending or unregistering
/// closes it too. Only an open registration may store (see `FlightTable.commit`).
final class Registration: Sendable {
  /// Whether it is an explicit write, which only a later change closes.
  let isWriter: Bool
  /// The terms of a load, when they say with which tags its value will be stored.
  private let terms = AtomicLazyReference<LoadTerms>()
  /// Where the feature's invalidations stood when the load began.
  private let begun = Atomic<UInt64>(.max)
  private let superseded: Atomic<Bool>
  private let over = Atomic<Bool>(false)
  private let committed: Atomic<Bool>
  private let hedged = Atomic<Bool>(false)
  private let batch = AtomicLazyReference<Batch>()
  /// Where it lies in a ``RegistrationList``; written and read under the lock of the key's stripe.
  let index = Atomic<Int>(-1)

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

  /// Whether it is one of several loads of its key; a hint without the lock of the key's stripe.
  var isHedged: Bool { hedged.load(ordering: .acquiring) }

  /// Notes that it is one of several loads of its key.
  ///
  /// Called under the lock of the key's stripe.
  func hedge() { hedged.store(true, ordering: .releasing) }

  /// Notes with which tags the value will be stored at least, before the load looks at anything.
  ///
  /// - Returns: where the feature's invalidations stand.
  func begin(_ terms: LoadTerms, _ stamps: InvalidationStamps) -> UInt64 {
    if !terms.fields.tags.isEmpty { _ = self.terms.storeIfNil(terms) }
    let now = stamps.now
    begun.store(now, ordering: .releasing)
    return now
  }

  /// Whether the load began before an invalidation by tag or scope.
  func began(before sequence: UInt64) -> Bool { begun.load(ordering: .acquiring) < sequence }

  /// Whether it is known that the value will be among what an invalidation selects.
  func isKnown(to selection: StoreInvalidation.Selection) -> Bool {
    guard let tags = terms.load()?.fields.tags else { return false }
    return selection.selects { tags }
  }

  /// Whether the flight has ended or was given up, so that nobody can wait for it any more.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// What stands in the graph of waits for the producer that makes the flight's value together with
  /// those of others.
  var producer: Registration? { batch.load()?.producer }

  /// The flights whose values this producer makes, if it is one of several.
  ///
  /// They are not kept, and a flight may be another by now, or belong to an earlier producer.
  var members: [ObjectIdentifier] { batch.load()?.members ?? [] }

  /// What a flight or the producer of several knows about the others.
  private final class Batch: Sendable {
    let producer: Registration?
    let members: [ObjectIdentifier]

    init(producer: Registration? = nil, members: [ObjectIdentifier] = []) {
      self.producer = producer
      self.members = members
    }
  }

  /// What stands in the graph of waits for a producer that makes the values of several flights.
  ///
  /// - Parameter flights: the flights; those that have a producer keep it.
  /// - Returns: it, which stores nothing itself.
  static func producer(of flights: [Registration]) -> Registration {
    let producer = Registration(isSuperseded: true)
    let members = Batch(members: flights.map { ObjectIdentifier($0) })
    _ = producer.batch.storeIfNil(members)
    let batch = Batch(producer: producer)
    for flight in flights { _ = flight.batch.storeIfNil(batch) }
    return producer
  }

  /// Notes that nobody can wait for the flight any more.
  func end() { over.store(true, ordering: .releasing) }
}
