/// What happens to a load when its last caller has been cancelled.
///
/// A load runs in a task of its own, so that one caller's cancellation never harms another caller.
/// When all of them have left, this says whether the work goes on.
public struct WhenUnobserved: Hashable, Sendable, CustomStringConvertible {
  /// The three ways, for the state machine of a flight.
  enum Choice: Hashable, Sendable {
    case cancel
    case finish
    case finishWithin(Duration)
  }

  let choice: Choice

  /// Cancels the producer; the next caller starts a new load.
  ///
  /// The default.
  public static let cancel = WhenUnobserved(choice: .cancel)

  /// Lets the load finish and stores its value; later callers may join it meanwhile.
  public static let finish = WhenUnobserved(choice: .finish)

  /// Lets the load go on for a while, joinable, and then cancels it unless a caller has joined.
  ///
  /// - Parameter limit: how long it may go on without a caller; nothing or less means ``cancel``.
  /// - Returns: the rule.
  public static func finish(within limit: Duration) -> WhenUnobserved {
    WhenUnobserved(choice: limit > .zero ? .finishWithin(limit) : .cancel)
  }

  /// The rule as it is written in code.
  public var description: String {
    switch choice {
    case .cancel: "cancel"
    case .finish: "finish"
    case .finishWithin(let limit): "finish(within: \(limit))"
    }
  }
}
