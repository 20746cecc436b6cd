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

  @Test func `one that is full grows and forgets nothing (B377)`() {
    let memo = TableMemo()
    let objects = (0..<5_000).map { _ in Object() }
    for (index, object) in objects.enumerated() { memo.insert(UInt(2 * index + 1), object) }
    for (index, object) in objects.enumerated() {
      memo.insert(UInt(2 * index + 1), object)
      let found = unsafe memo.find(UInt(2 * index + 1), as: Object.self)
      #expect(unsafe found?.takeUnretainedValue() === object)
    }
    #expect(unsafe memo.find(UInt(2 * objects.count + 1), as: Object.self) == nil)
  }

  @Test func `readers find what was inserted while others insert (B377)`() async {
    let memo = TableMemo()
    let objects = (0..<2_000).map { _ in Object() }
    await withTaskGroup(of: Void.self) { group in
      for part in 0..<4 {
        group.addTask {
          for index in stride(from: part, to: objects.count, by: 4) {
            memo.insert(UInt(2 * index + 1), objects[index])
            let found = unsafe memo.find(UInt(2 * index + 1), as: Object.self)
            #expect(unsafe found?.takeUnretainedValue() === objects[index])
          }
        }
      }
    }
  }

  @Test func `numbers of functions are odd, and one for each name and types (B377)`() {
    func number<Key, Value>(_ key: Key.Type, _ value: Value.Type, _ name: String?) -> UInt {
      TableMemo.number(
        of: TableRegistry.Identity(
          key: ObjectIdentifier(key),
          value: ObjectIdentifier(value),
          name: name
        )
      )
    }
    let numbers = (0..<100).map { number(Int.self, Int.self, "number \($0)") }
    #expect(Set(numbers).count == 100)
    #expect(numbers.allSatisfy { $0 % 2 == 1 })
    #expect(number(Int.self, Int.self, "number 7") == numbers[7])
    #expect(number(Int.self, Int?.self, "number 7") != numbers[7])
    #expect(TableMemo.identity(of: Int.self) % 2 == 0)
    #expect(TableMemo.identity(of: Int.self) != TableMemo.identity(of: Int?.self))
  }

  @Test func `a thousand functions under bound caches are all found without the registry (B377)`()
    async throws
  {
    let caches = Caches.inMemory
    let handles = (0..<1_000).map { index in
      TableHandle<Int, Int>(.current, name: "bound \(index)", strategy: .arguments(name: "b"))
    }
    Caches.withCurrent(caches) { for handle in handles { _ = handle.resolve() } }
    let memo = caches.defaultTables.memo
    for handle in handles {
      #expect(unsafe memo.find(handle.identity, as: Cache<Int, Int>.self) != nil)
    }
    let again = TableHandle<Int, Int>(.current, name: "bound 7", strategy: .arguments(name: "b"))
    #expect(again.identity == handles[7].identity)
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
