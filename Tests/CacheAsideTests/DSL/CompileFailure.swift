import Testing

/// A client's mistake, and the advice that the compiler must give for it.
struct CompileFailure: Sendable, CustomTestStringConvertible {
  let mistake: String
  let source: String
  let advice: String

  var testDescription: String { mistake }

  /// A mistake inside an asynchronous function.
  private init(_ mistake: String, _ body: String, advice: String) {
    self.mistake = mistake
    self.advice = advice
    source = """
      import CacheAside

      final class Connection { var isOpen = true }
      struct Opaque { var id = 1 }
      func load(_ id: Int, _ page: Int) async throws -> Int { id + page }

      func client(_ name: String, _ caches: Caches) async throws {
        \(body)
      }
      """
  }

  static let all = keys + builders + types

  private static let keys: [CompileFailure] = [
    CompileFailure(
      "a previous value behind three named arguments",
      #"let f = cached("s") { (a: Int, b: Int, c: Int, _: Previous<Int>?) in Produced(a) }; _ = f"#,
      advice: "a named function with a previous value takes at most two arguments"
    ),
    CompileFailure(
      "a key closure of one argument before a function of two",
      #"let f = cached(key: { "user/\($0)" }) { (id: Int, page: Int) in id + page }; _ = f"#,
      advice: #"use them all, key: { "…/\($0)/\($1)" }"#
    ),
    CompileFailure(
      "a key closure of two arguments before a function of three",
      #"let f = cached(key: { "\($0)/\($1)" }) { (a: Int, b: Int, c: Int) in a + b + c }; _ = f"#,
      advice: #"use them all, key: { "…/\($0)/\($1)/\($2)" }"#
    ),
    CompileFailure(
      "a key closure of one argument before a function reference",
      #"let f = cached(key: { "user/\($0)" }, load); _ = f"#,
      advice: #"use them all, key: { "…/\($0)/\($1)" }"#
    ),
    CompileFailure(
      "a key closure without arguments before a function of one",
      #"let f = cached(key: { "user" }) { (id: Int) in id }; _ = f"#,
      advice: #"use them all, key: { "…/\($0)" }"#
    ),
    CompileFailure(
      "a key closure of one argument in a feature",
      #"let f = try caches["a"].cached(key: { "user/\($0)" }, load); _ = f"#,
      advice: #"use them all, key: { "…/\($0)/\($1)" }"#
    ),
    CompileFailure(
      "a literal key before a function with an argument",
      #"let f = cached(key: "user") { (id: Int) in id }; _ = try await f(1)"#,
      advice: #"make the key a closure of them, key: { "…/\($0)" }"#
    ),
    CompileFailure(
      "a literal key before a deciding function with an argument",
      #"let f = cached(key: "user") { (id: Int) in Produced(id) }; _ = f"#,
      advice: #"make the key a closure of them, key: { "…/\($0)" }"#
    ),
    CompileFailure(
      "a literal key in a feature",
      #"let f = try caches["a"].cached(key: "user") { (id: Int) in id }; _ = f"#,
      advice: #"make the key a closure of them, key: { "…/\($0)" }"#
    ),
    CompileFailure(
      "a call with the parts of the key instead of the argument",
      #"let f = cached("f", by: { ArgumentPair($0.count, $0) }) { (a: String) in a }; _ = try await f(1, "a")"#,
      advice: "requires the types"
    ),
    CompileFailure(
      "a string as a key",
      #"let value: Int = try await cached(key: name) { 1 }; _ = value"#,
      advice: #"a String is not a key; interpolate it, key: "\(name)""#
    ),
    CompileFailure(
      "a string as a key with other parameters",
      #"_ = try await cached(key: name, expiry: .minutes(5), mode: .reload) { Produced(1) }"#,
      advice: #"a String is not a key; interpolate it, key: "\(name)""#
    ),
    CompileFailure(
      "a string as a key in a feature",
      #"_ = try await caches["a"].cached(key: name) { 1 }"#,
      advice: #"a String is not a key; interpolate it, key: "\(name)""#
    ),
    CompileFailure(
      "an interpolation that cannot be part of a key",
      #"_ = try await cached(key: "x/\(Opaque())") { 1 }"#,
      advice: "conform the type to CacheKeyConvertible, or interpolate the properties"
    ),
  ]

  private static let builders: [CompileFailure] = [
    CompileFailure(
      "a store outside a feature",
      #"_ = try Caches { Memory() }"#,
      advice: #"a store belongs into a feature: Feature("name") { Memory(); Disk() }"#
    ),
    CompileFailure(
      "something other than a store inside a feature",
      #"_ = try Caches { Feature("a") { Defaults(expiry: .never) } }"#,
      advice: "only stores belong here, such as Memory() and Disk()"
    ),
    CompileFailure(
      "an empty feature",
      #"_ = try Caches { Feature("a") { } }"#,
      advice: "name at least one store, such as Memory()"
    ),
    CompileFailure(
      "an empty block of caches",
      #"_ = try Caches { }"#,
      advice: #"name at least one feature, Feature("name") { Memory() }, or use Caches.inMemory"#
    ),
  ]

  private static let types: [CompileFailure] = [
    CompileFailure(
      "a value that cannot be written to disk",
      #"struct Plain: Sendable {}; _ = try ObjectCache<Plain>(name: "plain")"#,
      advice: "make the value type Codable, or use Cache(name:codec:)"
    ),
    CompileFailure(
      "a value that is not Sendable",
      #"let f = cached("connection") { (id: Int) in Connection() }; _ = f"#,
      advice: "type 'Connection' does not conform to the 'Sendable' protocol"
    ),
    CompileFailure(
      "a value that is not Sendable in the immediate form",
      #"_ = try await cached(key: "connection") { Connection() }"#,
      advice: "type 'Connection' does not conform to the 'Sendable' protocol"
    ),
    CompileFailure(
      "an argument that cannot be a key",
      #"let f = cached("opaque") { (part: Opaque) in part.id }; _ = f"#,
      advice: "requires that 'Opaque' conform to 'CacheKeyConvertible'"
    ),
  ]
}
