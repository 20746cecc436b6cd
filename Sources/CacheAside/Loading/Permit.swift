import Synchronization

/// A place among the loads that may run, given back once.
final class Permit: Sendable {
  private let isBack = Atomic<Bool>(false)
  private let giveBack: @Sendable () -> Void

  init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

  deinit { release() }

  /// Gives the place back; without effect the second time.
  func release() {
    if !isBack.exchange(true, ordering: .acquiringAndReleasing) { giveBack() }
  }

  /// Runs work that has the place, and gives it back when the work ends or is cancelled: work that
  /// ignores its cancellation holds up nobody.
  @concurrent
  func hold<Result: Sendable>(
    _ work: @concurrent @Sendable () async throws -> Result
  ) async throws -> Result {
    defer { release() }
    return try await withTaskCancellationHandler {
      try await work()
    } onCancel: {
      release()
    }
  }
}
