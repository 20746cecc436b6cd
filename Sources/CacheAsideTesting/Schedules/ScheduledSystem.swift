/// A system whose steps a ``ScheduleExplorer`` takes in every order.
///
/// A step is what happens at once: between two locks, between two suspensions. The system must do
/// the same whenever the same steps are taken, so it has no threads, tasks, clocks or randomness of
/// its own; a class whose steps call the code under test directly is enough.
public protocol ScheduledSystem: AnyObject {
  /// Something that may happen next.
  associatedtype Step: Equatable & Sendable

  /// Everything that may happen now, always in the same order; empty at the end of a schedule.
  var nextSteps: [Step] { get }

  /// What must hold after every step and does not, in a sentence; `nil` while all is well.
  var violation: String? { get }

  /// What must hold at the end of a schedule and does not, in a sentence; `nil` if all is well.
  var finalViolation: String? { get }

  /// Takes a step.
  ///
  /// - Parameter step: one of ``nextSteps``.
  func take(_ step: Step)
}
