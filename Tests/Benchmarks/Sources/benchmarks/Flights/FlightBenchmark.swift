import CacheAside
import Synchronization

/// 100,000 callers of one missing key in one group; the producer is held until all of them wait.
struct FlightBenchmark {
  static let callers = 100_000

  final class State: Sendable {
    let runs = Atomic<Int>(0)
    let wrong = Atomic<Int>(0)
    let gate = Mutex<CheckedContinuation<Void, Never>?>(nil)
    let isOpen = Atomic<Bool>(false)
  }

  /// Milliseconds of parking and releasing; throws when the callers did not share one run.
  func run() async throws -> Measurement {
    let baseline = await group { _ in 1 }
    let cache = try Cache<Int, Int>(name: "flights") { Memory() }
    let state = State()
    let clock = ContinuousClock()
    let watcher = Task {
      // Every caller but the leader counts as coalesced only when it returns, so the flight's own
      // counter says how many wait.
      while cache.statistics.waiters < Self.callers { try? await Task.sleep(for: .milliseconds(2)) }
      state.isOpen.store(true, ordering: .releasing)
      state.gate.withLock { $0.take() }?.resume()
    }
    let start = clock.now
    await group { _ in
      let value = try? await cache.cached(1) {
        state.runs.wrappingAdd(1, ordering: .relaxed)
        await withCheckedContinuation { continuation in
          let isOpen = state.gate.withLock { gate in
            if state.isOpen.load(ordering: .acquiring) { return true }
            gate = continuation
            return false
          }
          if isOpen { continuation.resume() }
        }
        return 3
      }
      if value != 3 { state.wrong.wrappingAdd(1, ordering: .relaxed) }
      return 1
    }
    let elapsed = Double((clock.now - start) / .microseconds(1)) / 1_000
    await watcher.value
    let runs = state.runs.load(ordering: .relaxed)
    let wrong = state.wrong.load(ordering: .relaxed)
    guard runs == 1, wrong == 0 else {
      throw BenchmarkFailure("flight.join.100k: \(runs) runs and \(wrong) wrong values")
    }
    return Measurement(
      name: "flight.join.100k",
      value: elapsed,
      unit: "ms",
      baseline: baseline,
      ratio: elapsed / baseline
    )
  }

  @discardableResult
  private func group(_ body: @escaping @Sendable (Int) async -> Int) async -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    await withTaskGroup(of: Int.self) { group in
      for index in 0..<Self.callers { group.addTask { await body(index) } }
      for await _ in group {}
    }
    return Double((clock.now - start) / .microseconds(1)) / 1_000
  }
}
