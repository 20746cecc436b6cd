import Testing

@testable import CacheAside

@Suite struct CacheScopeTests {
  @Test func `the order of adding does not matter`() {
    let one = CacheScope(["tenant": "a", "user": "b"])
    let other = CacheScope.none.adding("user", "b").adding("tenant", "a")
    #expect(one == other && one.hashValue == other.hashValue)
    #expect(one.description == "tenant=a;user=b" && other.description == one.description)
    #expect(one.parts.map(\.name) == ["tenant", "user"])
  }

  @Test func `a name has one value, the later`() {
    let scope = CacheScope(["tenant": "a", "tenant": "b"])
    #expect(scope["tenant"] == "b" && scope.parts.count == 1)
    #expect(scope.adding("tenant", "c")["tenant"] == "c")
    #expect(scope.merging(CacheScope(["tenant": "d", "x": "y"])).description == "tenant=d;x=y")
  }

  @Test func `parts can be removed`() {
    let scope = CacheScope(["tenant": "a", "user": "b"])
    #expect(scope.removing("user") == CacheScope(["tenant": "a"]))
    #expect(scope.removing("user").removing("tenant") == .none)
    #expect(CacheScope.none.isEmpty && CacheScope.none.description == "")
    #expect(scope["locale"] == nil)
  }

  @Test func `names and values cannot imitate separators`() {
    let scopes = [
      CacheScope(["a": "b", "c": "d"]), CacheScope(["a": "b;c=d"]), CacheScope(["a=b;c": "d"]),
      CacheScope(["a": "b", "c": ""]), CacheScope(["": ""]), .none,
    ]
    #expect(Set(scopes.map(\.description)).count == scopes.count)
    #expect(CacheScope(["cafe\u{301}": "x"])["caf\u{E9}"] == "x")
  }
}
