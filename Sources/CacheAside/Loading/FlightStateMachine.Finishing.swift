extension FlightStateMachine {
  /// Who has to be told about the result.
  struct Finishing: Sendable {
    /// The waiters, first come first.
    let waiters: WaiterList
    /// A deadline to cancel.
    let stop: Deadline?
    /// Another one.
    let limit: Deadline?
    /// The work to cancel, when its time is up.
    let job: Job?
  }
}
