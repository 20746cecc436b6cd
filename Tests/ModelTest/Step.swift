/// A key of the test in a scope of the test, both by number.
struct Place: Hashable, Sendable, CustomStringConvertible {
  /// The first ones belong to the cache, the others to the named function.
  static let cacheKeys = 4
  static let keys = 6
  static let scopes = 4

  var key: Int
  var scope: Int

  var isNamed: Bool { key >= Self.cacheKeys }
  var description: String { scope == 0 ? "k\(key)" : "k\(key)@\(scope)" }

  static let all = (0..<keys).flatMap { key in (0..<scopes).map { Place(key: key, scope: $0) } }
}

/// How something is read.
enum ReadForm: CaseIterable, Sendable {
  case value, entry, contains, peek, subscripted, cacheOnly
}

/// How something is loaded.
enum LoadForm: CaseIterable, Sendable {
  case immediate, named, batch, reload, refresh, failing
}

/// How something is written.
enum WriteForm: CaseIterable, Sendable {
  case set, subscripted, setBlocking, update
}

/// How one key is removed.
enum RemoveForm: CaseIterable, Sendable {
  case remove, subscripted, blocking, byFeature, bySelector, updateToNil
}

/// What many entries are selected by.
enum Selection: Hashable, Sendable {
  case tag(Int)
  case anyOf(Int, Int)
  case allOf(Int, Int)
  case scope(Int)
  case keysBelow(Int)
  case everything
}

/// One step of a sequence; each says everything that it needs, so that steps can be left out.
enum Step: Sendable {
  case read(ReadForm, Place)
  case readMany([Place])
  case list(scope: Int)
  case load(LoadForm, Place, ttl: Int, tags: [Int])
  case loadMany([Int], scope: Int, ttl: Int)
  case begin(Place, ttl: Int, tags: [Int])
  case finish(Int)
  case write(WriteForm, Place, ttl: Int, tags: [Int])
  case remove(RemoveForm, Place)
  case expire(Place)
  case invalidate(Selection, blocking: Bool)
  case expireMany(Selection)
  case removeManyTags(Int)
  case removeExpired
  case dropMemory
  case advance(quarters: Int)
  case flush
  case reopen(poke: Place?)
  case hold
  case release
  case fault(Int)
  case heal
  case switchInstance
}
