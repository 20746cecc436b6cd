import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct BatchConcurrencyTests {
  @Test func `F8 a joiner of higher priority raises the producer of a batch`() async throws {
    let feature = try Caches.inMemory["f"]
    let calls = FlightCalls()
    let fetch = feature.cachedBatch(key: { "n/\($0)" }) { (ids: [Int]) -> [Int: Int] in
      calls.next()
      while Task.currentPriority < .high { await Task.yield() }
      return [1: 1, 2: 2]
    }
    let batch = Task(priority: .background) { try await fetch([1, 2]) }
    await until { calls.count == 1 }
    let single = Task(priority: .high) { try await feature.cached(key: "n/2") { 0 } }
    await until { feature.statistics.loads == 1 }
    #expect(try await single.value == 2)
    #expect(try await batch.value == [1: 1, 2: 2])
  }

  @Test(arguments: [1, 3, 100])
  func `batches, single loads, collectors, removals and cancellations leave nothing behind`(
    maximum: Int
  ) async throws {
    let caches = try Caches {
      Feature("f") {
        Memory(.count(20))
        Store(PlainStore())
      }
    }
    let feature = try caches["f"]
    let fetch = feature.cachedBatch(key: { "n/\($0)" }, maximumBatchSize: maximum) {
      (ids: [Int]) -> [Int: Int] in
      if ids.contains(13) { throw EngineError.boom }
      await Task.yield()
      try Task.checkCancellation()
      let known = ids.filter { $0 % 7 != 0 } + [ids[0] + 1]
      return Dictionary(known.map { ($0, 10 * $0) }) { one, _ in one }
    }
    let collector = fetch.batching(maximum: 2, window: .zero)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          var random = SplitMix(state: UInt64(task * 100 + maximum))
          for _ in 0..<250 {
            let ids = (0..<4).map { _ in Int(random.next() % 30) }
            switch random.next() % 6 {
            case 0: try? await feature.remove("n/\(ids[0])")
            case 1:
              let value = try? await feature.cached(key: "n/\(ids[0])") { 10 * ids[0] }
              #expect(value == nil || value == 10 * ids[0])
            case 2:
              let value = try? await collector(ids[0])
              #expect(value == nil || value == 10 * ids[0])
            case 3:
              let caller = Task { await fetch.outcomes(ids) }
              await Task.yield()
              caller.cancel()
              _ = await caller.value
            default:
              for (id, result) in await fetch.outcomes(ids) {
                if case .success(let value?) = result { #expect(value == 10 * id) }
              }
            }
          }
        }
      }
    }
    await until { feature.isQuiet }
    #expect(feature.isQuiet)
  }
}
