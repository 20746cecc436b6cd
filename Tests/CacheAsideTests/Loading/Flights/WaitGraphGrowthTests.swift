import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// What the waits of a producer cost, however many it has.
@Suite(.timeLimit(.minutes(60)))
struct WaitGraphGrowthTests {
  /// Of its own, so that waits of other tests are not looked at.
  private let graph = WaitGraph()

  private func flights(_ count: Int) -> [Registration] { (0..<count).map { _ in Registration() } }

  /// Whether ten times as many waits cost about ten times as much.
  private func expectLinear(
    _ body: (_ count: Int) async throws -> WorkLog
  ) async throws {
    let few = try await body(30)[.waiter]
    #expect(few > 0)
    #expect(try await body(300)[.waiter] <= 12 * few)
  }

  private func `as`<Result: Sendable>(
    _ flight: Registration,
    in bulkhead: Bulkhead,
    _ body: @escaping @concurrent @Sendable () async throws -> Result
  ) async throws -> Result {
    try await FlightScope.$current.withValue(flight) { try await bulkhead.run(body) }
  }

  @Test(arguments: [false, true])
  func `waits come and go`(isFirstOut: Bool) async throws {
    try await expectLinear { count in
      let (source, targets) = (Registration(), flights(count))
      return await WorkLog.recording {
        for target in targets { #expect(graph.add(from: source, to: target)) }
        for target in isFirstOut ? targets : targets.reversed() {
          graph.remove(from: source, to: target)
        }
        #expect(graph.waitCount(of: source) == 0)
      }
    }
  }

  @Test func `many wait for one that waits for many`() async throws {
    try await expectLinear { count in
      let (hub, sources, targets) = (Registration(), flights(count), flights(count))
      return await WorkLog.recording {
        for target in targets { #expect(graph.add(from: hub, to: target)) }
        for source in sources { #expect(graph.add(from: source, to: hub)) }
        for source in sources { graph.remove(from: source, to: hub) }
        for target in targets { graph.remove(from: hub, to: target) }
      }
    }
  }

  @Test func `a load that has a place waits for many of its feature`() async throws {
    try await expectLinear { count in
      let (parent, children) = (Registration(), flights(count))
      let bulkhead = Bulkhead(limit: 1, waits: graph)
      return try await WorkLog.recording {
        try await self.as(parent, in: bulkhead) { [graph] in
          for child in children { #expect(graph.add(from: parent, to: child)) }
          for child in children { try await self.as(child, in: bulkhead) {} }
          for child in children { graph.remove(from: parent, to: child) }
        }
      }
    }
  }

  @Test func `many queue behind a load that waits for many others`() async throws {
    try await expectLinear { count in
      let (parent, children, others) = (Registration(), flights(count), flights(count))
      let bulkhead = Bulkhead(limit: 1, waits: graph)
      return try await WorkLog.recording {
        try await withThrowingTaskGroup(of: Void.self) { group in
          try await self.as(parent, in: bulkhead) { [graph] in
            for child in children { #expect(graph.add(from: parent, to: child)) }
          }
          let (gate, entered) = (Gate(), Gate())
          group.addTask {
            try await self.as(parent, in: bulkhead) {
              entered.open()
              await gate.waitIgnoringCancellation()
            }
          }
          await entered.waitIgnoringCancellation()
          for other in others { group.addTask { try await self.as(other, in: bulkhead) {} } }
          await until { bulkhead.waitingCount == count }
          gate.open()
          try await group.waitForAll()
          for child in children { graph.remove(from: parent, to: child) }
        }
      }
    }
  }

  @Test func `a wait that many in a queue are stuck behind lets all of them pass`() async throws {
    try await expectLinear { count in
      let (holder, middle, children) = (Registration(), Registration(), flights(count))
      let bulkhead = Bulkhead(limit: 1, waits: graph)
      return try await WorkLog.recording {
        try await self.as(holder, in: bulkhead) { [graph] in
          try await withThrowingTaskGroup(of: Void.self) { group in
            for child in children {
              #expect(graph.add(from: middle, to: child))
              group.addTask { try await self.as(child, in: bulkhead) {} }
            }
            await until { bulkhead.waitingCount == count }
            // Each is queued in the graph once it has left the bulkhead's lock.
            #expect(graph.add(from: holder, to: middle))
            try await group.waitForAll()
          }
          graph.remove(from: holder, to: middle)
          for child in children { graph.remove(from: middle, to: child) }
        }
      }
    }
  }

  @Test func `the producer of a batch waits for as many loads as it has keys`() async throws {
    try await expectLinear { count in
      let (members, targets) = (flights(count), flights(count))
      let producer = Registration.producer(of: members)
      let caller = Registration()
      return await WorkLog.recording {
        for member in members { #expect(graph.add(from: caller, to: member)) }
        for target in targets { #expect(graph.add(from: producer, to: target)) }
        for target in targets { graph.remove(from: producer, to: target) }
        for member in members { graph.remove(from: caller, to: member) }
      }
    }
  }

  @Test func `a wait for a key of a batch whose producer waits for the one that asks is refused`() {
    let (caller, members, other) = (Registration(), flights(2), flights(50))
    let producer = Registration.producer(of: members)
    #expect(graph.add(from: producer, to: caller))
    // It has to be found from the end that has fewer edges, too.
    for other in other { #expect(graph.add(from: producer, to: other)) }
    for member in members { #expect(!graph.add(from: caller, to: member)) }
    for other in other { graph.remove(from: producer, to: other) }
    for member in members { #expect(!graph.add(from: caller, to: member)) }
    graph.remove(from: producer, to: caller)
    for member in members { #expect(graph.add(from: caller, to: member)) }
    for member in members { graph.remove(from: caller, to: member) }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `exactly the waits that close a cycle are refused`(seed: UInt64) {
    var random = SplitMix(state: seed)
    let graph = WaitGraph()
    var nodes = flights(9)
    // Two batches: their keys wait for what the last two nodes wait for.
    let batches = [Array(nodes[0..<2]), Array(nodes[2..<4])]
    nodes += batches.map { Registration.producer(of: $0) }
    var edges: [(Int, Int)] = []
    func reaches(_ start: Int, _ goal: Int) -> Bool {
      var (open, seen) = ([start], Set<Int>())
      while let node = open.popLast() {
        if node == goal { return true }
        guard !nodes[node].isOver, seen.insert(node).inserted else { continue }
        open += edges.filter { $0.0 == node }.map(\.1)
        if node < 4 { open.append(9 + node / 2) }
      }
      return false
    }
    for step in 0..<400 {
      let (from, to) = (
        Int.random(in: 4..<11, using: &random), Int.random(in: 0..<9, using: &random)
      )
      if step == 200 { nodes[8].end() }
      if from == 8, step >= 200 { continue }
      if !edges.isEmpty, Int.random(in: 0..<3, using: &random) == 0 {
        let edge = edges.remove(at: Int.random(in: 0..<edges.count, using: &random))
        graph.remove(from: nodes[edge.0], to: nodes[edge.1])
      } else {
        let isCycle = reaches(to, from)
        #expect(graph.add(from: nodes[from], to: nodes[to]) == !isCycle, "step \(step)")
        if !isCycle { edges.append((from, to)) }
      }
      #expect(graph.waitCount(of: nodes[from]) == edges.filter { $0.0 == from }.count)
    }
  }
}
