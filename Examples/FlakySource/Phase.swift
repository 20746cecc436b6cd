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
