import Testing

@testable import CacheAside

@Suite struct NamespaceTests {
  static let namespaces: [Namespace] = [
    Namespace("user"), Namespace("user2"), Namespace("us*r"), Namespace(""), Namespace("[a]"),
    Namespace("user", version: 2), Namespace("user", version: -2), Namespace("user@2"),
    Namespace("", version: 0), Namespace("%-"), Namespace("-"), Namespace("a:b"), Namespace("a"),
    Namespace("user", scope: CacheScope(["tenant": "a"])), Namespace("user;tenant=a"),
    Namespace("user", version: 2, scope: CacheScope(["tenant": "a", "user": "b"])),
    Namespace("user", scope: CacheScope(["tenant": "a;user=b"])),
    Namespace("user", scope: CacheScope(["tenant": ""])),
    Namespace("user", scope: CacheScope(["": "a"])),
    Namespace("{x}\\?\n"), Namespace("日本"), Namespace("caf\u{E9}"),
  ]

  @Test func `B046 K3 no namespace is the beginning of another's keys`() {
    let prefixes = Self.namespaces.map { $0.description + ":" }
    for (index, prefix) in prefixes.enumerated() {
      for (other, candidate) in prefixes.enumerated() where other != index {
        #expect(!candidate.hasPrefix(prefix), "\(prefix) begins \(candidate)")
      }
    }
  }

  @Test func `B046 pattern characters and separators are escaped`() {
    #expect(Namespace("us*r").description == "us%2Ar")
    #expect(Namespace("[a]").description == "%5Ba%5D")
    #expect(Namespace("").description == "%-")
    #expect(Namespace("{x}\\?\n").description == "%7Bx%7D%5C%3F%0A")
    for namespace in Self.namespaces {
      #expect(!namespace.description.isEmpty)
      #expect(!namespace.description.contains { ":*?[]{}\\^\n".contains($0) })
    }
  }

  @Test func `it prints name, version and scope`() {
    let scope = CacheScope(["user": "b", "tenant": "a/x"])
    let namespace = Namespace("search", version: 3, scope: scope)
    #expect(namespace.description == "search@3;tenant=a%2Fx;user=b")
    #expect(namespace.name == "search" && namespace.version == 3 && namespace.scope == scope)
    #expect(namespace.scoped(.none) == Namespace("search", version: 3))
    #expect(Namespace("search", version: 3).scoped(scope) == namespace)
  }

  @Test(arguments: namespaces)
  func `it is read back from its printable form`(namespace: Namespace) throws {
    let copy = try #require(Namespace(description: namespace.description))
    #expect(copy == namespace && copy.hashValue == namespace.hashValue)
    #expect(copy.name == namespace.name)
    #expect(copy.version == namespace.version)
    #expect(copy.scope == namespace.scope)
  }

  @Test func `keys of different namespaces are different, equal ones meet`() {
    let texts: [CacheKey] = ["", "a", "b:a", "tenant=a:x", "user:a"]
    let keys = texts + texts.flatMap { key in Self.namespaces.map { key.within($0) } }
    #expect(Set(keys).count == keys.count)
    #expect(Set(keys.map(\.qualified)).count == keys.count)
    #expect(Set(keys.map(\.fileName)).count == keys.count)
    #expect(texts[1].within(Namespace("n")) == texts[1].within(Namespace("n")))
    #expect(texts[1].within(Namespace("n")).within(Namespace("m")).namespace?.name == "m")
  }
}
