extension FlightStateMachine {
  /// Who has to be told about the result.
  struct Finishing: Sendable {
    /// The waiters, first come first.
    let waiters: WaiterList
    /// A timer to cancel.
    let stop: Job?
    /// Another one.
    let limit: Job?
    /// The work to cancel, when its time is up.
    let job: Job?
  }
}
