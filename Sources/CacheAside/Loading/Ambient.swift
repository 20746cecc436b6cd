public import Synchronization

// All ambient state is one task-local (C3). The first binding in the process sets a flag, so that a
// hit reads the task-local only in programs that bind something; and then it leaves its inlined way
// only where something is bound that concerns it.

/// What is bound around the current task.
@usableFromInline
final class AmbientContext: Sendable {
  /// The bound caches: an opaque reference that `DSL` casts.
  @usableFromInline let caches: (any AnyObject & Sendable)?
  /// Parts added to every key.
  @usableFromInline let scope: CacheScope

  /// Whether there are any.
  var hasScope: Bool { !scope.isEmpty }

  init(caches: (any AnyObject & Sendable)?, scope: CacheScope) {
    self.caches = caches
    self.scope = scope
  }
}

@usableFromInline
enum Ambient {
  /// Whether anything was ever bound in this process.
  ///
  /// An object, since whoever asks on a hit keeps the reference: it saves the call that a global of
  /// another module costs.
  @usableFromInline
  final class Use: Sendable {
    @usableFromInline let flag = Atomic<Bool>(false)

    @inlinable
    var hasBegun: Bool { @inline(__always) get { flag.load(ordering: .relaxed) } }

    fileprivate func begin() { flag.store(true, ordering: .sequentiallyConsistent) }
  }

  static let use = Use()

  @TaskLocal static var context: AmbientContext?

  /// The bound scope; `nil` when there is none or it is empty.
  static var scope: CacheScope? {
    guard use.hasBegun, let context, context.hasScope else { return nil }
    return context.scope
  }

  /// Whether a scope is bound, or caches where they matter.
  ///
  /// - Parameter withCaches: whether bound caches matter.
  /// - Returns: whether a call must go the long way.
  @usableFromInline
  static func concerns(withCaches: Bool) -> Bool {
    guard let context else { return false }
    return context.hasScope || withCaches && context.caches != nil
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
    use.begin()
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
    use.begin()
    let context = AmbientContext(
      caches: caches ?? context?.caches,
      scope: joined(scope)
    )
    return try $context.withValue(context, operation: operation)
  }
}
