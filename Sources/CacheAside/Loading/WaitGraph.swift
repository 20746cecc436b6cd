// Who waits for whom, to refuse a wait that could never end.
//
// Nodes are running flights of any table; an edge says that the producer of one waits for the
// result of the other. A wait that would close a cycle is refused before it begins, whether one
// caller leads all flights of the cycle or several do. One lock for the process: only producers
// that load through a cache come here, never a hit or a call from outside a flight. A flight that
// is over is no node: its remaining edges are those of waits that are just being resumed. The flights of
// a batch wait for one producer, which is a node of its own.

import Synchronization

/// The waits between the flights of the process.
final class WaitGraph: Sendable {
  /// The graph of the process.
  static let shared = WaitGraph()

  private let edges = Lock<[ObjectIdentifier: [Registration]]>([:])

  /// Adds a wait unless it would close a cycle.
  ///
  /// O(waits reachable from the target).
  ///
  /// - Parameters:
  ///   - source: the flight whose producer is about to wait.
  ///   - target: the flight it is about to wait for.
  /// - Returns: whether it may wait.
  func add(from source: Registration, to target: Registration) -> Bool {
    edges.withLock { edges in
      guard !Self.reaches(source, from: target, in: edges) else { return false }
      edges[ObjectIdentifier(source), default: []].append(target)
      return true
    }
  }

  /// Removes a wait that ended.
  ///
  /// - Parameters:
  ///   - source: the flight whose producer waited.
  ///   - target: the flight it waited for.
  func remove(from source: Registration, to target: Registration) {
    edges.withLock { edges in
      let identifier = ObjectIdentifier(source)
      guard let position = edges[identifier]?.firstIndex(where: { $0 === target }) else { return }
      edges[identifier]?.remove(at: position)
      if edges[identifier]?.isEmpty == true { edges[identifier] = nil }
    }
  }

  /// How many waits of a flight's producer go on.
  ///
  /// - Parameter source: the flight.
  /// - Returns: their number.
  func waitCount(of source: Registration) -> Int {
    edges.withLock { $0[ObjectIdentifier(source)]?.count ?? 0 }
  }

  private static func reaches(
    _ goal: Registration,
    from start: Registration,
    in edges: [ObjectIdentifier: [Registration]]
  ) -> Bool {
    var open = [start]
    var seen: Set<ObjectIdentifier> = []
    while let node = open.popLast() {
      if node === goal { return true }
      guard !node.isOver, seen.insert(ObjectIdentifier(node)).inserted else { continue }
      if let producer = node.producer { open.append(producer) }
      open += edges[ObjectIdentifier(node)] ?? []
    }
    return false
  }
}
