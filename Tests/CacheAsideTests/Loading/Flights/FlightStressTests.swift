import Synchronization
import Testing

@testable import CacheAside

@Suite(.serialized, .timeLimit(.minutes(60)))
struct FlightStressTests {
  let cache = FlightFixture<Int>()

  /// A small generator, so that each task's sequence is the same in every run.
  private struct Sequence {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
  }

  @Test
  func `every one of 200,000 operations of 8 tasks ends exactly once`() async {
    let (asked, told) = (FlightCalls(), FlightCalls())
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask { await work(seed: UInt64(worker), asked: asked, told: told) }
      }
    }
    await until { cache.isQuiet && told.count == asked.count }
    #expect(told.count == asked.count)
  }

  private func work(seed: UInt64, asked: FlightCalls, told: FlightCalls) async {
    var random = Sequence(state: seed)
    for _ in 0..<25_000 {
      let number = random.next(below: 16)
      let key = "\(number)"
      let (yields, fails) = (random.next(below: 4), random.next(below: 8) == 0)
      let producer: @Sendable () async throws -> Int = {
        for _ in 0..<yields { await Task.yield() }
        if fails { throw FlightTestError.boom }
        return number
      }
      switch random.next(below: 10) {
      case 0: cache.set(key, number)
      case 1, 2: cache.remove(key)
      case 3:
        asked.next()
        let keeps = random.next(below: 2) == 0
        let handle = Lock<CallbackAnswer<Int>?>(nil)
        cache.getCallback(key, start: { answer in handle.withLock { $0 = answer } }) { result, _ in
          if case .success(let value) = result { #expect(value == number) }
          told.next()
        }
        if keeps { handle.withLock { $0.take() }?.answer { .success(number) } }
      case 4, 5, 6:
        let rule: WhenUnobserved = random.next(below: 2) == 0 ? .cancel : .finish
        let task = Task { try await cache.get(key, whenUnobserved: rule, producer) }
        if random.next(below: 2) == 0 { await Task.yield() }
        task.cancel()
        if case .success(let value) = await task.result { #expect(value == number) }
      default:
        do {
          let reload = random.next(below: 4) == 0
          #expect(try await cache.load(key, reload: reload, producer).output == number)
        } catch is FlightTestError {
        } catch let error as CacheError where error.code == .abandoned {
        } catch {
          Issue.record("a caller that nobody cancelled got \(error)")
        }
      }
    }
  }

  @Test
  func `after a write nobody ever meets what was loaded before it`() async {
    let source = (0..<8).map { _ in FlightCalls() }
    await withTaskGroup(of: Void.self) { group in
      for key in 0..<8 {
        group.addTask {
          for round in 0..<5_000 {
            let version = source[key].next()
            if round % 2 == 0 { cache.set("\(key)", version) } else { cache.remove("\(key)") }
            if let seen = cache.peek("\(key)"), seen != version {
              Issue.record("memory has \(seen) after \(version)")
            }
            let loaded = try? await cache.get("\(key)") { source[key].count }
            if loaded != version { Issue.record("\(version) loads as \(loaded ?? -1)") }
          }
        }
        group.addTask {
          for round in 0..<5_000 {
            let task = Task {
              try await cache.get("\((key + round) % 8)") {
                let version = source[(key + round) % 8].count
                await Task.yield()
                return version
              }
            }
            if round % 3 == 0 { task.cancel() }
            _ = await task.result
          }
        }
      }
    }
    await until { cache.isQuiet }
  }

  @Test
  func `B009 cancelling and finishing race without a hang and without a second ending`() async {
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for round in 0..<2_500 {
            let gate = FlightGate<Int>()
            let waiter = Task { try await cache.get("\(worker) \(round)") { try await gate() } }
            if round % 2 == 0 { await until { gate.calls == 1 } }
            let canceller = Task { waiter.cancel() }
            let releaser = Task { gate.release(1) }
            switch await waiter.result {
            case .success(let value): #expect(value == 1)
            case .failure(let error): #expect(error is CancellationError)
            }
            _ = await (canceller.value, releaser.value)
          }
        }
      }
    }
    await until { cache.isQuiet }
  }

  @Test
  func `B097 a thousand callers at a time, 200 times, cost one run each time`() async {
    for round in 0..<200 {
      let calls = FlightCalls()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<1_000 {
          group.addTask {
            let value = try? await cache.get("\(round)") {
              calls.next()
              return 42
            }
            #expect(value == 42)
          }
        }
      }
      #expect(calls.count == 1)
    }
    #expect(cache.isQuiet)
  }

  @Test
  func `B012 nobody is lost between the end of a flight and its leaving the table`() async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var sum = 0
          for _ in 0..<12_500 { sum += try await self.cache.load("k", stores: false) { 1 }.output }
          return sum
        }
      }
      var sum = 0
      for try await part in group { sum += part }
      #expect(sum == 100_000)
    }
    #expect(cache.isQuiet)
  }
}
