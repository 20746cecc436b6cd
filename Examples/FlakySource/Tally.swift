import CacheAside
import Synchronization

/// What the readers got, by phase.
final class Tally: Sendable {
  struct Column: Sendable {
    var answers: [CacheSource: Int] = [:]
    var errors = 0
    var errorsAfterWindow = 0
    var slowest = Duration.zero
    var oldest = Duration.zero

    var total: Int { answers.values.reduce(errors + errorsAfterWindow, +) }
  }

  private struct State {
    var columns = [Column](repeating: Column(), count: Phase.allCases.count)
    /// The start of the source that each key's newest answer is from.
    var epochs: [Int: Int] = [:]
    var messages: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// Counts an answer in the phase in which it was asked for.
  func count(_ outcome: CacheOutcome<Reading>, of key: Int, in phase: Phase, took: Duration) {
    state.withLock { state in
      state.columns[phase.rawValue].answers[outcome.source, default: 0] += 1
      state.columns[phase.rawValue].slowest = max(state.columns[phase.rawValue].slowest, took)
      state.columns[phase.rawValue].oldest = max(
        state.columns[phase.rawValue].oldest,
        outcome.age
      )
      state.epochs[key] = max(state.epochs[key] ?? 0, outcome.value.epoch)
    }
  }

  func count(_ error: any Error, isInWindow: Bool, in phase: Phase) {
    state.withLock { state in
      if isInWindow {
        state.columns[phase.rawValue].errors += 1
        state.messages["\(error)", default: 0] += 1
      } else {
        state.columns[phase.rawValue].errorsAfterWindow += 1
      }
    }
  }

  subscript(phase: Phase) -> Column { state.withLock { $0.columns[phase.rawValue] } }

  /// How many keys have been answered by a start of the source.
  func keys(ofEpoch epoch: Int) -> Int { state.withLock { $0.epochs.values.count { $0 == epoch } } }

  /// The errors within the window, each with its number.
  var messages: [(String, Int)] { state.withLock { $0.messages.sorted { $0.value > $1.value } } }
}
