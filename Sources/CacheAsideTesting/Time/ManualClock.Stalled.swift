extension ManualClock {
  /// The clock waited for quiet in vain: for a minute of real time nothing moved, or it had
  /// not come after twelve minutes.
  ///
  /// Either a job occupies the clock's executor, or keeps enqueuing itself, or a thread of a store
  /// never ended the work it announced.
  public struct Stalled: Error, Hashable, CustomStringConvertible {
    /// The labels of the work that is still open outside the executor, oldest first.
    public let openWork: [String]

    /// The number of jobs that wait for the executor.
    public let queuedJobs: Int

    /// What is still open, in one sentence.
    public var description: String {
      let work =
        openWork.isEmpty ? "no work is open" : "open work: " + openWork.joined(separator: ", ")
      return "the manual clock did not become quiet: \(work); "
        + "\(queuedJobs) jobs wait for its executor"
    }
  }
}
