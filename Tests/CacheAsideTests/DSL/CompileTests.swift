import Testing

/// What a client's compiler says; skipped where the built module is not beside the tests.
@Suite(.enabled("no built module beside the tests", { SwiftCompiler() != nil }))
struct CompileTests {
  private let compiler: SwiftCompiler

  init() throws { compiler = try #require(SwiftCompiler()) }

  @Test(arguments: CompileFailure.all)
  func `B116 a mistake does not compile, and the compiler says what to do`(
    failure: CompileFailure
  ) throws {
    let (compiles, output) = try compiler.check(failure.source, "-swift-version", "6")
    #expect(!compiles)
    #expect(output.contains(failure.advice), "\(output)")
    // The advice is the only error: everything else about the call is right.
    let errors = output.split(separator: "\n").compactMap { line -> Substring? in
      guard line.contains("Client.swift:") else { return nil }
      return line.split(separator: ": error: ", maxSplits: 1).dropFirst().first
    }
    #expect(Set(errors).count == 1, "\(output)")
  }

  @Test(arguments: ["5", "6"])
  func `B116 a client of Sendable values compiles without a warning`(version: String) throws {
    let (compiles, output) = try compiler.check(
      """
      import CacheAside

      struct User: Codable, Hashable, Sendable { var id: Int }
      struct Query: Codable, Hashable, CacheKeyConvertible { var words: Set<String>; var page: Int }

      let fetchUser = cached("user", expiry: .minutes(5)) { (id: Int) in User(id: id) }
      let search = cached("search") { (query: Query, limit: Int) in [User(id: limit)] }

      func client(_ id: Int, _ note: String?) async throws -> User? {
        let user: User? = try await cached(key: "user/\\(id)/\\(note)", expiry: .minutes(5)) {
          User(id: id)
        }
        _ = try await search(Query(words: ["a"], page: 1), 2)
        _ = try await fetchUser.outcome(42)
        try await fetchUser.remove(42)
        return user
      }
      """,
      "-swift-version",
      version,
      "-warnings-as-errors"
    )
    #expect(compiles, "\(output)")
  }
}
