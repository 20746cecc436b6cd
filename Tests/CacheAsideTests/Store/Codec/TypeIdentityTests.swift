import Testing

@testable import CacheAside

@Suite struct TypeIdentityTests {
  struct Public {}
  private struct Hidden {}

  @Test func `an identity is the digest of the qualified name`() {
    #expect(TypeIdentity.name(of: Int.self) == "Swift.Int")
    #expect(TypeIdentity.of(Int.self) == Checksum.of(Array("Swift.Int".utf8)))
    let dictionary = TypeIdentity.name(of: [String: Int?].self)
    #expect(dictionary == "Swift.Dictionary<Swift.String, Swift.Optional<Swift.Int>>")
    #expect(TypeIdentity.name(of: Public.self) == "CacheAsideTests.TypeIdentityTests.Public")
  }

  @Test func `one Optional is stripped, and one only`() {
    #expect(TypeIdentity.of(Int?.self) == TypeIdentity.of(Int.self))
    #expect(TypeIdentity.of(Int??.self) != TypeIdentity.of(Int.self))
    #expect(TypeIdentity.of(Int.self) != TypeIdentity.of(Double.self))
  }

  @Test func `the name of a private type holds no address`() {
    struct Local {}
    let names = [Hidden.self, Local.self, [Hidden].self as Any.Type].map(TypeIdentity.name)
    for name in names {
      #expect(!name.contains("$"))
      #expect(name.contains("(private)"))
    }
    #expect(Set(names).count == 3)
  }
}
