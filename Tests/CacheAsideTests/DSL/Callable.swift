import CacheAside

/// A callable of any shape as a function of one integer, so that one test covers all shapes.
struct Callable: Sendable {
  var call: @Sendable (Int) async throws -> Int
  var callInMode: @Sendable (Int, CacheMode) async throws -> Int
  var peek: @Sendable (Int) -> Int?
  var outcome: @Sendable (Int, CacheMode) async throws -> CacheOutcome<Int>
  var updates: @Sendable (Int) -> CacheUpdates<Int>
  var refresh: @Sendable (Int) async throws -> Int
  var expire: @Sendable (Int) async throws -> Void
  var remove: @Sendable (Int) async throws -> Void
  var key: @Sendable (Int) -> CacheKey
  var uncached: @Sendable (Int) async throws -> Int
  var asFunction: @Sendable (Int) async throws -> Int
  var when: @Sendable (@escaping @Sendable (Int) -> Bool) -> Callable
  var storing: @Sendable (@escaping @Sendable (Int) -> Bool) -> Callable
  var withDefault: @Sendable (Int) -> Callable

  init(_ memoized: Memoized<Int, Int>) {
    call = { try await memoized($0) }
    callInMode = { try await memoized($0, mode: $1) }
    peek = { memoized.peek($0) }
    outcome = { try await memoized.outcome($0, mode: $1) }
    updates = { memoized.updates($0) }
    refresh = { try await memoized.refresh($0) }
    expire = { try await memoized.expire($0) }
    remove = { try await memoized.remove($0) }
    key = { memoized.key(for: $0) }
    uncached = { try await memoized.uncached($0) }
    asFunction = memoized.asFunction
    when = { Callable(memoized.when($0)) }
    storing = { Callable(memoized.storing($0)) }
    withDefault = { Callable(memoized.default($0)) }
  }

  init<Key>(_ memoized: MemoizedFunction<Key, Int, Int>) {
    call = { try await memoized($0) }
    callInMode = { try await memoized($0, mode: $1) }
    peek = { memoized.peek($0) }
    outcome = { try await memoized.outcome($0, mode: $1) }
    updates = { memoized.updates($0) }
    refresh = { try await memoized.refresh($0) }
    expire = { try await memoized.expire($0) }
    remove = { try await memoized.remove($0) }
    key = { memoized.key(for: $0) }
    uncached = { try await memoized.uncached($0) }
    asFunction = memoized.asFunction
    when = { Callable(memoized.when($0)) }
    storing = { Callable(memoized.storing($0)) }
    withDefault = { Callable(memoized.default($0)) }
  }

  /// Three arguments, of which two stay the same.
  init<Key>(_ memoized: MemoizedFunction<Key, Int, String, Int, Bool>) {
    call = { try await memoized("a", $0, true) }
    callInMode = { try await memoized("a", $0, true, mode: $1) }
    peek = { memoized.peek("a", $0, true) }
    outcome = { try await memoized.outcome("a", $0, true, mode: $1) }
    updates = { memoized.updates("a", $0, true) }
    refresh = { try await memoized.refresh("a", $0, true) }
    expire = { try await memoized.expire("a", $0, true) }
    remove = { try await memoized.remove("a", $0, true) }
    key = { memoized.key(for: "a", $0, true) }
    uncached = { try await memoized.uncached("a", $0, true) }
    let function = memoized.asFunction
    asFunction = { try await function("a", $0, true) }
    when = { condition in Callable(memoized.when { _, number, _ in condition(number) }) }
    storing = { Callable(memoized.storing($0)) }
    withDefault = { Callable(memoized.default($0)) }
  }
}
