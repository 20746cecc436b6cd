public import Synchronization

// All ambient state is one task-local (C3). The first binding in the process sets a flag, so that a
// hit reads the task-local only in programs that bind something.

/// What is bound around the current task.
@usableFromInline
final class AmbientContext: Sendable {
  /// The bound caches: an opaque reference that `DSL` casts.
  @usableFromInline let caches: (any AnyObject & Sendable)?
  /// Parts added to every key.
  @usableFromInline let scope: CacheScope

  init(caches: (any AnyObject & Sendable)?, scope: CacheScope) {
    self.caches = caches
    self.scope = scope
  }
}

@usableFromInline
enum Ambient {
  /// Whether anything was ever bound in this process.
  @usableFromInline static let isUsed = Atomic<Bool>(false)

  @TaskLocal static var context: AmbientContext?

  /// Whether a scope is bound.
  @usableFromInline static var isScoped: Bool { scope != nil }

  /// The bound scope; `nil` when there is none or it is empty.
  static var scope: CacheScope? {
    guard isUsed.load(ordering: .relaxed), let scope = context?.scope, !scope.isEmpty else {
      return nil
    }
    return scope
  }

  /// The bound scope with the parts of another: a scope inside a scope narrows it.
  private static func joined(_ scope: CacheScope?) -> CacheScope {
    let outer = context?.scope ?? .none
    return scope.map(outer.merging) ?? outer
  }

  /// Binds a changed context for an operation.
  nonisolated(nonsending)
    static func with<Result>(
      caches: (any AnyObject & Sendable)? = nil,
      scope: CacheScope? = nil,
      _ operation: () async throws -> Result
    ) async rethrows -> Result
  {
    isUsed.store(true, ordering: .sequentiallyConsistent)
    let context = AmbientContext(
      caches: caches ?? context?.caches,
      scope: joined(scope)
    )
    return try await $context.withValue(context, operation: operation)
  }

  /// Binds a changed context for a synchronous operation.
  static func with<Result>(
    caches: (any AnyObject & Sendable)? = nil,
    scope: CacheScope? = nil,
    _ operation: () throws -> Result
  ) rethrows -> Result {
    isUsed.store(true, ordering: .sequentiallyConsistent)
    let context = AmbientContext(
      caches: caches ?? context?.caches,
      scope: joined(scope)
    )
    return try $context.withValue(context, operation: operation)
  }
}
