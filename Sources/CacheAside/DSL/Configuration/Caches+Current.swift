import Synchronization

/// The process-wide caches: set once, by `bootstrap` or by their first use.
private enum SharedCaches {
  static let slot = AtomicLazyReference<Caches>()
  static let isBootstrapped = Atomic<Bool>(false)

  /// Sets the caches, unless they are set; returns those that are.
  static func set(_ caches: Caches) -> Caches {
    let kept = slot.storeIfNil(caches)
    Ambient.share(kept.defaultTables)
    return kept
  }
}

extension Caches {
  /// The caches of the process: those of ``bootstrap(_:)``, else memory only.
  public static var shared: Caches {
    SharedCaches.slot.load()
      ?? SharedCaches.set(Caches(inMemory: .system, makesFeatures: false))
  }

  /// Makes the caches that `cached(…)` uses when nothing else is bound.
  ///
  /// Call it once, at start-up, before the first use.
  ///
  /// - Parameter caches: the caches of the process.
  /// - Throws: `CacheError` with the code `alreadyBootstrapped` when it was called before, or when
  ///   the shared caches are in use already.
  public static func bootstrap(_ caches: Caches) throws {
    if SharedCaches.slot.load() == nil,
      !SharedCaches.isBootstrapped.exchange(true, ordering: .acquiringAndReleasing),
      SharedCaches.set(caches) === caches
    {
      return
    }
    throw CacheError(
      .alreadyBootstrapped,
      "the shared caches are in use; call Caches.bootstrap once, before the first cached(…)"
    )
  }

  /// The caches that `cached(…)` without a feature uses: the bound ones, else ``shared``.
  public static var current: Caches { bound ?? shared }

  /// The caches that are bound around the current task.
  static var bound: Caches? {
    guard Ambient.use.hasBegun else { return nil }
    return Ambient.context.caches as? Caches
  }

  /// Makes caches the current ones for an operation and the tasks it starts.
  ///
  /// - Parameters:
  ///   - caches: the caches, for example `.inMemory` in a test.
  ///   - operation: what runs with them.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  public nonisolated(nonsending)
    static func withCurrent<Result>(
      _ caches: Caches,
      _ operation: () async throws -> Result
    ) async rethrows -> Result
  { try await Ambient.with(caches: caches, tables: caches.defaultTables, operation) }

  /// Makes caches the current ones for a synchronous operation.
  ///
  /// - Parameters:
  ///   - caches: the caches.
  ///   - operation: what runs with them.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  public static func withCurrent<Result>(
    _ caches: Caches,
    _ operation: () throws -> Result
  ) rethrows -> Result { try Ambient.with(caches: caches, tables: caches.defaultTables, operation) }

  /// Adds a scope, such as the tenant or user, to every key inside an operation.
  ///
  /// Calls under different scopes share neither entries nor loads. A scope inside another adds its
  /// parts; where both have a part of one name, the inner one counts.
  ///
  /// - Parameters:
  ///   - scope: the parts.
  ///   - operation: what runs with them.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  public nonisolated(nonsending)
    static func withScope<Result>(
      _ scope: CacheScope,
      _ operation: () async throws -> Result
    ) async rethrows -> Result
  { try await Ambient.with(scope: scope, operation) }

  /// Adds a scope to every key inside a synchronous operation, as the asynchronous form does.
  ///
  /// - Parameters:
  ///   - scope: the parts.
  ///   - operation: what runs with them.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  public static func withScope<Result>(
    _ scope: CacheScope,
    _ operation: () throws -> Result
  ) rethrows -> Result { try Ambient.with(scope: scope, operation) }
}
