/// A flight's place in work that it shares with flights of other keys.
struct BatchPlace: Sendable {
  let work: BatchWork
  let position: Int

  /// Says that nobody wants the flight's result any more, or that it is there; once.
  func leave() { work.leave(position) }

  /// Raises the work to the priority of a waiter.
  func escalate(to priority: TaskPriority) { work.escalate(to: priority) }
}
