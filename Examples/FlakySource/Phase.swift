import Synchronization

/// What the source goes through.
enum Phase: Int, CaseIterable, Sendable, CustomStringConvertible {
  /// Answers within 20 ms.
  case warm
  /// Takes up to 1.5 s, and some answers hang.
  case slow
  /// Killed.
  case down
  /// Started anew.
  case back

  var description: String {
    switch self {
    case .warm: "warm"
    case .slow: "slow"
    case .down: "down"
    case .back: "back"
    }
  }
}

/// The phase of this moment.
final class CurrentPhase: Sendable {
  private let phase = Mutex(Phase.warm)

  var value: Phase {
    get { phase.withLock { $0 } }
    set { phase.withLock { $0 = newValue } }
  }
}
