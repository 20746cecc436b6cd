import Testing

@testable import CacheAside

@Suite struct TableMemoTests {
  private final class Object: Sendable {}

  @Test func `finds what was inserted under a number, and nothing else`() {
    let memo = TableMemo()
    let objects = (0..<40).map { _ in Object() }
    for (index, object) in objects.enumerated() {
      memo.insert(UInt(2 * index + 1), object)
    }
    for (index, object) in objects.enumerated() {
      let found = unsafe memo.find(UInt(2 * index + 1), as: Object.self)
      #expect(unsafe found?.takeUnretainedValue() === object)
      #expect(unsafe memo.find(UInt(2 * index + 2), as: Object.self) == nil)
    }
  }

  @Test func `one that is full forgets nothing and takes nothing more`() {
    let memo = TableMemo()
    let objects = (0..<500).map { _ in Object() }
    var known: [Int] = []
    for (index, object) in objects.enumerated() {
      memo.insert(UInt(2 * index + 1), object)
      if unsafe memo.find(UInt(2 * index + 1), as: Object.self) != nil { known.append(index) }
    }
    #expect(known.count <= TableMemo.pairCount)
    #expect(known.count > TableMemo.pairCount / 2)
    for index in known {
      let found = unsafe memo.find(UInt(2 * index + 1), as: Object.self)
      #expect(unsafe found?.takeUnretainedValue() === objects[index])
    }
  }

  @Test func `numbers of functions are odd and never the same`() {
    let numbers = (0..<100).map { _ in TableMemo.makeIdentity() }
    #expect(Set(numbers).count == 100)
    #expect(numbers.allSatisfy { $0 % 2 == 1 })
    #expect(TableMemo.identity(of: Int.self) % 2 == 0)
    #expect(TableMemo.identity(of: Int.self) != TableMemo.identity(of: Int?.self))
  }

  @Test func `C3 more global functions than a memo holds stay apart under bound caches`()
    async throws
  {
    let functions = (0..<150).map { index in
      cached("function \(index)") { (key: Int) in key + index }
    }
    for _ in 0..<2 {
      let caches = Caches.inMemory
      try await Caches.withCurrent(caches) { () async throws in
        for _ in 0..<2 {
          for (index, function) in functions.enumerated() {
            #expect(try await function(1) == 1 + index)
          }
        }
      }
      let statistics = try caches["default"].statistics
      #expect(statistics.misses == 150)
    }
  }

  @Test func `C3 the immediate form keeps value types apart`() async throws {
    try await Caches.withCurrent(.inMemory) { () async throws in
      for _ in 0..<3 {
        #expect(try await cached(key: "k") { 1 } == 1)
        #expect(try await cached(key: "k") { "one" } == "one")
        #expect(try await cached(key: "k") { [1.5] } == [1.5])
      }
    }
  }
}
