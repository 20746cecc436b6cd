import Synchronization

/// Every run of a producer: when it began, and what came of it.
final class Runs: Sendable {
  struct Run: Sendable {
    let key: Int
    let phase: Phase
    let start: ContinuousClock.Instant
    var isFailed = false
    var hasAnswered = false
  }

  private struct State {
    var runs: [Run] = []
    /// When each key's newest value was produced.
    var produced: [Int: ContinuousClock.Instant] = [:]
    /// Runs that began too early, and the shortest time between a failed run and the next.
    var early = 0
    var least: Duration?
    var last: [Int: Int] = [:]
  }

  private let state = Mutex(State())
  private let terms: Terms

  init(_ terms: Terms) { self.terms = terms }

  /// Notes that a run begins.
  func begin(_ key: Int, _ phase: Phase) -> Int {
    let now = ContinuousClock.now
    return state.withLock { state in
      if let last = state.last[key].map({ state.runs[$0] }), last.isFailed,
        isCovered(state.produced[key], now)
      {
        let pause = now - last.start
        state.least = min(state.least ?? pause, pause)
        if pause < .seconds(terms.retryAfterFailure) { state.early += 1 }
      }
      state.runs.append(Run(key: key, phase: phase, start: now))
      state.last[key] = state.runs.count - 1
      return state.runs.count - 1
    }
  }

  /// Notes how a run ended.
  func end(_ run: Int, isFailed: Bool, isCancelled: Bool = false) {
    let now = ContinuousClock.now
    state.withLock { state in
      state.runs[run].isFailed = isFailed && !isCancelled
      state.runs[run].hasAnswered = !isFailed
      if !isFailed { state.produced[state.runs[run].key] = now }
    }
  }

  /// Whether a key has a value now that is fresh or in its stale window.
  func isCovered(_ key: Int) -> Bool {
    isCovered(state.withLock { $0.produced[key] }, ContinuousClock.now)
  }

  /// The values may have been stored a little later, and jitter shortens lifetimes.
  private func isCovered(
    _ produced: ContinuousClock.Instant?,
    _ now: ContinuousClock.Instant
  ) -> Bool {
    guard let produced else { return false }
    let life = terms.expiry * (1 - terms.jitter) + terms.staleIfError
    return now - produced < .seconds(life)
  }

  var all: [Run] { state.withLock { $0.runs } }

  /// Of the runs after a failed one, those that began before `retryAfterFailure` had passed, and
  /// the shortest pause of all.
  var pauses: (early: Int, least: Duration?) { state.withLock { ($0.early, $0.least) } }
}
