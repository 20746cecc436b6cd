import Synchronization

extension CacheUpdates {
  /// One iteration: the load behind the first value runs on its own, and is left when the iterator
  /// goes.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    private enum Stage: Sendable {
      case first
      case shown(Value, Renewal<Value>)
      case over
    }

    private let steps: UpdateSteps<Value>
    private var stage = Stage.first

    init(_ steps: UpdateSteps<Value>) { self.steps = steps }

    /// The next value; `nil` at the end.
    ///
    /// - Returns: first what is cached or loaded, then what was loaded behind it, if it differs.
    /// - Throws: the error of a load before anything was shown, `CancellationError` among them.
    public nonisolated(nonsending) mutating func next() async throws -> Value? {
      switch stage {
      case .first:
        stage = .over
        let loaded = try await steps.first()
        if case .produced = loaded.source, loaded.isFresh { return loaded.value }
        stage = .shown(loaded.value, Renewal(steps))
        return loaded.value
      case .shown(let shown, let renewal):
        stage = .over
        guard let value = await renewal.value(), !Self.areEqual(shown, value) else { return nil }
        return value
      case .over: return nil
      }
    }

    /// Whether two values are known to be equal; those without an equality never are.
    private static func areEqual(_ one: Value, _ other: Value) -> Bool {
      func equals<Known: Equatable>(_ one: Known) -> Bool { one == other as? Known }
      guard let one = one as? any Equatable else { return false }
      return equals(one)
    }
  }
}

/// The load behind a value that is shown already; whoever lets it go leaves the load.
private final class Renewal<Value: Sendable>: Sendable {
  private let outcome: Outcome
  private let task: Task<Void, Never>

  /// What the load came to; the task holds it without holding the renewal.
  private final class Outcome: Sendable {
    let value = Lock<Value?>(nil)
  }

  init(_ steps: UpdateSteps<Value>) {
    let outcome = Outcome()
    self.outcome = outcome
    task = steps.time.startTask { [renewed = steps.renewed] in
      // A failure was counted and reported by the load; there is a value on the screen.
      guard let loaded = try? await renewed(), loaded.isFresh else { return }
      outcome.value.withLock { $0 = loaded.value }
    }
  }

  deinit { task.cancel() }

  /// Waits for the load; `nil` if it failed, or its caller was cancelled.
  nonisolated(nonsending) func value() async -> Value? {
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    return outcome.value.withLock { $0 }
  }
}
