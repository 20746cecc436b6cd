import Synchronization

// All ambient state is one task-local (C3). The first bindings in the process set flags, so that a
// hit reads the task-local only in programs that bind something that concerns it; and then it leaves
// its inlined way only where such a thing is bound.

/// What is bound around the current task.
final class AmbientContext: Sendable {
  /// The bound caches: an opaque reference that `DSL` casts.
  let caches: (any AnyObject & Sendable)?
  /// The tables that they have for calls which name no feature.
  let tables: TableRegistry?
  /// Parts added to every key.
  let scope: CacheScope
  /// Whether there are any.
  let hasScope: Bool
  /// How calls use the cache that do not say it themselves.
  let mode: CacheMode
  /// What records the decisions of calls, if anything does.
  let trace: CacheTrace?
  /// The traced call that the current code belongs to.
  let note: CallNote?
  /// Whether a hit has to look: there is a scope, a mode or a trace.
  let concernsHits: Bool

  init(
    caches: (any AnyObject & Sendable)? = nil,
    tables: TableRegistry? = nil,
    scope: CacheScope = .none,
    mode: CacheMode = .default,
    trace: CacheTrace? = nil,
    note: CallNote? = nil
  ) {
    self.caches = caches
    self.tables = tables
    self.scope = scope
    self.mode = mode
    self.trace = trace
    self.note = note
    hasScope = !scope.isEmpty
    concernsHits = hasScope || mode != .default || trace != nil
  }
}

@usableFromInline
enum Ambient {
  /// Not optional: reading it costs less so.
  @TaskLocal static var context = AmbientContext()

  static let use = AmbientUse()

  /// The bound scope; `nil` when there is none or it is empty.
  static var scope: CacheScope? {
    guard use.concernsHits else { return nil }
    let context = context
    return context.hasScope ? context.scope : nil
  }

  /// The bound mode.
  static var mode: CacheMode { use.concernsHits ? context.mode : .default }

  /// Whether a scope, a mode or a trace is bound: what keeps a hit from its inlined way.
  @usableFromInline
  static func concernsHits() -> Bool { context.concernsHits }

  /// Whether one of these is bound, and what the bound caches know.
  ///
  /// The reference is good while the binding lasts, so for all of a synchronous call.
  @usableFromInline
  static func binding() -> (concernsHits: Bool, memo: Unmanaged<TableMemo>?) {
    let context = context
    return unsafe (context.concernsHits, context.tables.map { unsafe .passUnretained($0.memo) })
  }

  /// What the caches of the process know, which are never dropped; zero before they are set.
  private static let sharedMemo = Atomic<UInt>(0)

  /// Says which tables calls use that nothing is bound around.
  static func share(_ tables: TableRegistry) {
    let memo = unsafe Unmanaged.passUnretained(tables.memo).toOpaque()
    sharedMemo.store(UInt(bitPattern: memo), ordering: .releasing)
  }

  /// What the current caches know; `nil` under a scope, a mode or a trace, and before the caches of
  /// the process are set.
  ///
  /// The reference is good for a synchronous call, as that of ``binding()``.
  @usableFromInline
  static func memoOfPlainCalls() -> Unmanaged<TableMemo>? {
    if use.hasBegun {
      let bound = unsafe binding()
      if unsafe bound.concernsHits { return nil }
      if let memo = unsafe bound.memo { return unsafe memo }
    }
    let address = sharedMemo.load(ordering: .acquiring)
    return unsafe UnsafeRawPointer(bitPattern: address).map { unsafe .fromOpaque($0) }
  }

  /// The current context with something changed: a scope inside a scope narrows it.
  private static func changed(
    _ caches: (any AnyObject & Sendable)?,
    _ tables: TableRegistry?,
    _ scope: CacheScope?,
    _ mode: CacheMode?,
    _ trace: CacheTrace?
  ) -> AmbientContext {
    let context = context
    if caches != nil { use.beginCaches() }
    if trace != nil { use.beginTraces() }
    let changed = AmbientContext(
      caches: caches ?? context.caches,
      tables: tables ?? context.tables,
      scope: scope.map(context.scope.merging) ?? context.scope,
      mode: mode ?? context.mode,
      trace: trace?.within(context.trace) ?? context.trace
    )
    if changed.concernsHits { use.beginConcerningHits() }
    return changed
  }

  /// The current context as work sees it that outlives its caller: caches and scope, and nothing that
  /// belongs to the caller's request, such as its mode.
  static func forBackground() -> AmbientContext {
    let context = context
    return AmbientContext(caches: context.caches, tables: context.tables, scope: context.scope)
  }

  /// Binds a whole context for an operation.
  static func with<Result: Sendable>(
    _ context: AmbientContext,
    _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await $context.withValue(context, operation: operation)
  }

  /// Binds a changed context for an operation.
  nonisolated(nonsending)
    static func with<Result>(
      caches: (any AnyObject & Sendable)? = nil,
      tables: TableRegistry? = nil,
      scope: CacheScope? = nil,
      mode: CacheMode? = nil,
      trace: CacheTrace? = nil,
      _ operation: () async throws -> Result
    ) async rethrows -> Result
  {
    try await $context.withValue(changed(caches, tables, scope, mode, trace), operation: operation)
  }

  /// Binds a changed context for a synchronous operation.
  static func with<Result>(
    caches: (any AnyObject & Sendable)? = nil,
    tables: TableRegistry? = nil,
    scope: CacheScope? = nil,
    mode: CacheMode? = nil,
    trace: CacheTrace? = nil,
    _ operation: () throws -> Result
  ) rethrows -> Result {
    try $context.withValue(changed(caches, tables, scope, mode, trace), operation: operation)
  }
}
