import CacheAside
import Foundation
import Synchronization

/// Requests that are replayed on a store as a client would: ask, and store what is missing.
struct Replay {
  let requests: [Int]

  /// The hit ratio in percent of the memory store from one thread.
  func ratio(countLimit: Int) throws -> Double {
    let store = try MemoryStore<Int, Int>(limits: .count(countLimit))
    var hits = 0
    for key in requests {
      if store.value(for: key) != nil { hits += 1 } else { store.insert(key, for: key) }
    }
    return percent(hits)
  }

  /// The same of a whole cache over such a store.
  func ratioOfCache(countLimit: Int) throws -> Double {
    let cache = try Cache<Int, Int>(name: "replay") { Memory(.count(countLimit)) }
    var hits = 0
    for key in requests {
      if cache[key] != nil { hits += 1 } else { cache[key] = key }
    }
    return percent(hits)
  }

  private func percent(_ hits: Int) -> Double { 100 * Double(hits) / Double(requests.count) }

  // MARK: Several threads

  /// Where threads wait until all of them are there.
  private final class Barrier: @unchecked Sendable {
    // `@unchecked Sendable`: the condition guards the numbers.
    private let condition = NSCondition()
    private let threads: Int
    private var waiting = 0
    private var round = 0
    init(threads: Int) { self.threads = threads }

    func wait() {
      condition.lock()
      defer { condition.unlock() }
      waiting += 1
      if waiting == threads {
        waiting = 0
        round += 1
        condition.broadcast()
        return
      }
      let mine = round
      while round == mine { condition.wait() }
    }
  }

  private final class Number: Sendable {
    let value: Atomic<Int>
    init(_ value: Int) { self.value = Atomic(value) }
  }

  /// The hit ratio in percent when each of some threads replays every so-manieth request and none
  /// is further ahead of the slowest than `lead` requests of the trace, a multiple of the threads.
  ///
  /// With more threads than cores a thread uses all of its lead before another one runs, which is
  /// another order of requests, and one that has fewer hits with any policy.
  func ratio(countLimit: Int, threads: Int, lead: Int) async throws -> Double {
    let store = try MemoryStore<Int, Int>(limits: .count(countLimit))
    let barrier = Barrier(threads: threads)
    let hits = Number(0)
    let running = Number(threads)
    await withCheckedContinuation { continuation in
      for thread in 0..<threads {
        Thread.detachNewThread {
          let found = self.hits(of: store, thread, threads, lead, barrier)
          hits.value.wrappingAdd(found, ordering: .relaxed)
          let left = running.value.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
          if left == 0 { continuation.resume() }
        }
      }
    }
    return percent(hits.value.load(ordering: .relaxed))
  }

  private func hits(
    of store: MemoryStore<Int, Int>,
    _ thread: Int,
    _ threads: Int,
    _ lead: Int,
    _ barrier: Barrier
  ) -> Int {
    var hits = 0
    for start in stride(from: 0, to: requests.count, by: lead) {
      let end = min(start + lead, requests.count)
      for index in stride(from: start + thread, to: end, by: threads) {
        let key = requests[index]
        if store.value(for: key) != nil { hits += 1 } else { store.insert(key, for: key) }
      }
      barrier.wait()
    }
    return hits
  }
}
