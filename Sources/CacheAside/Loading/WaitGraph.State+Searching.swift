// Who waits for whom through others: a search from both ends in turn (Pohl, "Bi-directional and heuristic
// search", 1971), which ends with the smaller of the two halves.
//
// A step looks at one edge, so that the end that has few of them is not held up by the other's many.

extension WaitGraph {
  /// Where a search begins.
  enum Start {
    case flight(Registration)
    /// The flights that have a bulkhead's places.
    case holders(Bulkhead)

    /// The flight, if it is one.
    var flight: Registration? { if case .flight(let flight) = self { flight } else { nil } }

    func has(_ flight: Registration) -> Bool {
      switch self {
      case .flight(let start): start === flight
      case .holders(let bulkhead): bulkhead.isHolder(flight)
      }
    }
  }

  /// One way from the start of a search to its goal.
  struct Path {
    /// The flights on it that go on by the queue they stand in, the first from the start first.
    var queued: [ObjectIdentifier] = []
  }

  /// One end of a search.
  private struct Front {
    enum List {
      case flights([Registration])
      /// Those of a batch; one counts if it is still known, and still of this batch.
      case members([ObjectIdentifier], of: Registration)

      var count: Int {
        switch self {
        case .flights(let flights): flights.count
        case .members(let members, _): members.count
        }
      }
    }

    /// How a flight was come to.
    struct Step {
      let from: ObjectIdentifier?
      let isQueue: Bool
    }

    /// A flight that counts as a member of its batch although it has no node yet.
    var newcomer: Registration?
    private(set) var steps: [ObjectIdentifier: Step] = [:]
    private var lists: [(list: List, step: Step)] = []
    private var list = 0
    private var index = 0

    mutating func add(_ list: List, from: ObjectIdentifier? = nil, isQueue: Bool = false) {
      if list.count > 0 { lists.append((list, Step(from: from, isQueue: isQueue))) }
    }

    /// Whether every edge was looked at.
    var isAtEnd: Bool { list == lists.count }

    /// Looks at the next edge.
    ///
    /// - Returns: the flight at its end, if that was not come to before.
    mutating func advance(_ nodes: [ObjectIdentifier: Node]) -> Registration? {
      WorkLog.count(.waiter)
      let (current, step) = lists[list]
      let flight: Registration?
      switch current {
      case .flights(let flights): flight = flights[index]
      case .members(let members, let batch):
        let isNew = newcomer.map { ObjectIdentifier($0) == members[index] } ?? false
        let known = isNew ? newcomer : nodes[members[index]]?.flight
        flight = known?.producer === batch ? known : nil
      }
      index += 1
      if index == current.count { (list, index) = (list + 1, 0) }
      guard let flight, steps[ObjectIdentifier(flight)] == nil else { return nil }
      steps[ObjectIdentifier(flight)] = step
      return flight
    }
  }
}

extension WaitGraph.State {
  private typealias Front = WaitGraph.Front

  /// Whether one of those that have a bulkhead's places waits for a flight.
  func isAwaited(
    _ flight: Registration,
    in bulkhead: Bulkhead,
    _ released: inout ReleasedAfterUnlock
  ) -> Bool {
    // Where no producer waits for anything, nobody does.
    !nodes.isEmpty
      && path(from: .holders(bulkhead), to: flight, throughQueues: true, &released) != nil
  }

  /// Takes out the flights in queues that wait for themselves through a wait that was just added.
  ///
  /// - Returns: what is to let pass.
  mutating func takeStuck(
    from target: Registration,
    to source: Registration,
    _ released: inout ReleasedAfterUnlock
  ) -> [Bulkhead.Ticket] {
    var stuck: [Bulkhead.Ticket] = []
    while !queued.isEmpty,
      let path = path(from: .flight(target), to: source, throughQueues: true, &released),
      let first = path.queued.first, let ticket = takeQueued(first)
    {
      stuck.append(ticket)
      guard stuck.count >= 2 else { continue }
      // Many of them: one look at all rather than a search for each.
      for identifier in between(target, source, &released) {
        if let ticket = takeQueued(identifier) { stuck.append(ticket) }
      }
    }
    return stuck
  }

  /// A way by which one flight waits for another.
  ///
  /// All flights that only the search may hold go to `released`: their terms hold what a user gave.
  ///
  /// - Parameters:
  ///   - start: who would wait.
  ///   - goal: for whom.
  ///   - throughQueues: whether a flight in a queue waits for those that have the places.
  ///   - released: receives what the search has held.
  /// - Returns: `nil` if it does not.
  /// - Complexity: O(edges), from the end that has fewer of them.
  func path(
    from start: WaitGraph.Start,
    to goal: Registration,
    throughQueues: Bool,
    _ released: inout ReleasedAfterUnlock
  ) -> WaitGraph.Path? {
    var (ahead, behind) = (Front(), Front())
    switch start {
    case .flight(let flight): ahead.add(.flights([flight]))
    case .holders(let bulkhead): addHolders(of: bulkhead, to: &ahead, from: nil, &released)
    }
    behind.add(.flights([goal]))
    behind.newcomer = start.flight
    while !ahead.isAtEnd, !behind.isAtEnd {
      if let flight = ahead.advance(nodes) {
        if flight === goal || !flight.isOver && behind.steps[ObjectIdentifier(flight)] != nil {
          return path(ahead, ObjectIdentifier(flight), behind)
        }
        follow(flight, throughQueues, &ahead, &released)
      }
      // Where one end has none left, there is no way.
      if ahead.isAtEnd { break }
      if let flight = behind.advance(nodes) {
        if flight !== goal, flight.isOver { continue }
        if start.has(flight) || ahead.steps[ObjectIdentifier(flight)] != nil {
          return path(ahead, ObjectIdentifier(flight), behind)
        }
        trace(flight, throughQueues, &behind)
      }
    }
    return nil
  }

  private func path(
    _ ahead: Front,
    _ meeting: ObjectIdentifier,
    _ behind: Front
  ) -> WaitGraph.Path {
    var before: [ObjectIdentifier] = []
    var flight = meeting
    while let step = ahead.steps[flight], let from = step.from {
      if step.isQueue { before.append(from) }
      flight = from
    }
    var after: [ObjectIdentifier] = []
    flight = meeting
    while let step = behind.steps[flight], let from = step.from {
      if step.isQueue { after.append(flight) }
      flight = from
    }
    return WaitGraph.Path(queued: before.reversed() + after)
  }

  /// The flights in queues that one flight waits for and that wait for another.
  private func between(
    _ target: Registration,
    _ source: Registration,
    _ released: inout ReleasedAfterUnlock
  ) -> [ObjectIdentifier] {
    var (ahead, behind) = (Front(), Front())
    ahead.add(.flights([target]))
    behind.add(.flights([source]))
    while !ahead.isAtEnd {
      if let flight = ahead.advance(nodes) { follow(flight, true, &ahead, &released) }
    }
    while !behind.isAtEnd {
      if let flight = behind.advance(nodes), flight === source || !flight.isOver {
        trace(flight, true, &behind)
      }
    }
    return ahead.steps.keys.filter { queued[$0] != nil && behind.steps[$0] != nil }
  }

  /// Adds what a flight waits for.
  private func follow(
    _ flight: Registration,
    _ throughQueues: Bool,
    _ front: inout Front,
    _ released: inout ReleasedAfterUnlock
  ) {
    if flight.isOver { return }
    let identifier = ObjectIdentifier(flight)
    if let producer = flight.producer {
      released.keep(producer)
      front.add(.flights([producer]), from: identifier)
    }
    front.add(.flights(nodes[identifier]?.targets ?? []), from: identifier)
    if throughQueues, let ticket = queued[identifier]?.ticket {
      addHolders(of: ticket.bulkhead, to: &front, from: identifier, &released)
    }
  }

  /// Adds what waits for a flight.
  private func trace(_ flight: Registration, _ throughQueues: Bool, _ front: inout Front) {
    let identifier = ObjectIdentifier(flight)
    front.add(.flights(nodes[identifier]?.sources ?? []), from: identifier)
    front.add(.members(flight.members, of: flight), from: identifier)
    guard throughQueues else { return }
    for line in lines.values {
      WorkLog.count(.lock)
      guard line.bulkhead.isHolder(flight) else { continue }
      front.add(.flights(line.flights), from: identifier, isQueue: true)
    }
  }

  private func addHolders(
    of bulkhead: Bulkhead,
    to front: inout Front,
    from flight: ObjectIdentifier?,
    _ released: inout ReleasedAfterUnlock
  ) {
    let holders = bulkhead.holders
    WorkLog.count(.waiter, holders.count)
    released.keep(holders)
    front.add(.flights(holders), from: flight, isQueue: flight != nil)
  }
}
