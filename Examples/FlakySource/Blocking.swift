import Foundation

/// Runs work that blocks on a thread of its own, so that it keeps no thread of Swift's pool waiting.
func blocking<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
  }
}
