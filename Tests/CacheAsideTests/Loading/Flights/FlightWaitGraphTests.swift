import Testing

@testable import CacheAside

@Suite
struct FlightWaitGraphTests {
  let graph = WaitGraph()
  let flights = (0..<4).map { _ in Registration() }

  @Test
  func `refuses the wait that closes a cycle, however long, and no other`() {
    #expect(!graph.add(from: flights[0], to: flights[0]))
    #expect(graph.add(from: flights[0], to: flights[1]))
    #expect(graph.add(from: flights[1], to: flights[2]))
    #expect(graph.add(from: flights[0], to: flights[2]))
    #expect(graph.add(from: flights[2], to: flights[3]))
    #expect(!graph.add(from: flights[3], to: flights[0]))
    #expect(!graph.add(from: flights[3], to: flights[2]))
    #expect(graph.waitCount(of: flights[3]) == 0)
  }

  @Test
  func `counts equal waits one by one`() {
    #expect(graph.add(from: flights[0], to: flights[1]))
    #expect(graph.add(from: flights[0], to: flights[1]))
    graph.remove(from: flights[0], to: flights[1])
    #expect(!graph.add(from: flights[1], to: flights[0]))
    graph.remove(from: flights[0], to: flights[1])
    #expect(graph.add(from: flights[1], to: flights[0]))
  }

  @Test
  func `does not follow the waits of a flight that is over`() {
    #expect(graph.add(from: flights[0], to: flights[1]))
    #expect(graph.add(from: flights[1], to: flights[2]))
    flights[1].end()
    #expect(graph.add(from: flights[2], to: flights[0]))
  }
}
