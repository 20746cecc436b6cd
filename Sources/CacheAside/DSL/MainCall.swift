import Synchronization

/// A call made on the main actor: tells code that runs inside it, on the same thread, that it does.
final class MainCall: Sendable {
  private let thread = CurrentThread.identifier
  private let isRunning = Atomic<Bool>(true)

  /// Whether this is the call's thread, and the call has not returned.
  var isCurrent: Bool {
    isRunning.load(ordering: .acquiring) && thread == CurrentThread.identifier
  }

  /// The call returns.
  func end() { isRunning.store(false, ordering: .releasing) }
}
