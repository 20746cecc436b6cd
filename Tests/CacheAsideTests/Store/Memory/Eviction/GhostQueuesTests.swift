import Testing

@testable import CacheAside

@Suite struct GhostQueuesTests {
  @Test func `holds the newest of each queue`() {
    var ghosts = GhostQueues(capacity: 3)
    for key in UInt64(1)...5 { ghosts.remember(key, .window) }
    for key in UInt64(11)...12 { ghosts.remember(key, .main) }
    #expect(ghosts.count == 5)
    #expect(ghosts.take(2) == nil)
    #expect(ghosts.take(4) == .window)
    #expect(ghosts.take(4) == nil)
    #expect(ghosts.take(11) == .main)
    #expect(ghosts.count == 3)
  }

  @Test func `remembers nothing without capacity`() {
    var ghosts = GhostQueues(capacity: 0)
    ghosts.remember(1, .window)
    #expect(ghosts.take(1) == nil)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `behaves like two bounded lists`(seed: UInt64) {
    let capacity = 17
    var random = SplitMix(state: seed)
    var ghosts = GhostQueues(capacity: capacity)
    var window: [UInt64] = []
    var main: [UInt64] = []
    for _ in 0..<20_000 {
      let key = UInt64.random(in: 1...60, using: &random)
      if Bool.random(using: &random) {
        let expected: GhostQueues.Origin? =
          window.contains(key) ? .window : main.contains(key) ? .main : nil
        #expect(ghosts.take(key) == expected)
        window.removeAll { $0 == key }
        main.removeAll { $0 == key }
        continue
      }
      window.removeAll { $0 == key }
      main.removeAll { $0 == key }
      if Bool.random(using: &random) {
        ghosts.remember(key, .window)
        window = (window + [key]).suffix(capacity)
      } else {
        ghosts.remember(key, .main)
        main = (main + [key]).suffix(capacity)
      }
    }
    #expect(ghosts.count == window.count + main.count)
  }

  @Test func `keeps the newest when it is resized`() {
    var ghosts = GhostQueues(capacity: 4)
    for key in UInt64(1)...4 { ghosts.remember(key, .main) }
    ghosts.resize(capacity: 8)
    for key in UInt64(5)...8 { ghosts.remember(key, .main) }
    #expect((UInt64(1)...8).allSatisfy { ghosts.take($0) == .main })
  }
}
