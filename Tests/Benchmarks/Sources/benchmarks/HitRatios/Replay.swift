import CacheAside
import Foundation
import Synchronization

/// Requests that are replayed on a store as a client would: ask, and store what is missing.
struct Replay {
  let requests: [Int]

  /// The hit ratio in percent from one thread.
  func ratio(countLimit: Int) throws -> Double {
    let cache = try Cache<Int, Int>(name: "replay") { Memory(.count(countLimit)) }
    return percent(hits(on: cache))
  }

  @inline(never)
  private func hits(on cache: Cache<Int, Int>) -> Int {
    var hits = 0
    for key in requests {
      if cache[key] != nil { hits += 1 } else { cache[key] = key }
    }
    return hits
  }

  private func percent(_ hits: Int) -> Double { 100 * Double(hits) / Double(requests.count) }

  // MARK: Several threads

  /// How far one thread may be ahead of the slowest, in requests of the trace.
  private static let lead = 1_000

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

  /// The hit ratio in percent when each of some threads replays every so-manieth request.
  func ratio(countLimit: Int, threads: Int) async throws -> Double {
    let cache = try Cache<Int, Int>(name: "replay") { Memory(.count(countLimit)) }
    let barrier = Barrier(threads: threads)
    let hits = Number(0)
    let running = Number(threads)
    await withCheckedContinuation { continuation in
      for thread in 0..<threads {
        Thread.detachNewThread {
          let found = self.hits(on: cache, thread, threads, barrier)
          hits.value.wrappingAdd(found, ordering: .relaxed)
          let left = running.value.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
          if left == 0 { continuation.resume() }
        }
      }
    }
    return percent(hits.value.load(ordering: .relaxed))
  }

  private func hits(
    on cache: Cache<Int, Int>,
    _ thread: Int,
    _ threads: Int,
    _ barrier: Barrier
  ) -> Int {
    var hits = 0
    for start in stride(from: 0, to: requests.count, by: Self.lead) {
      let end = min(start + Self.lead, requests.count)
      // The lead is a multiple of the number of threads.
      for index in stride(from: start + thread, to: end, by: threads) {
        let key = requests[index]
        if cache[key] != nil { hits += 1 } else { cache[key] = key }
      }
      barrier.wait()
    }
    return hits
  }
}
