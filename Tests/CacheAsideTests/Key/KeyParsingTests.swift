import Testing

@testable import CacheAside

@Suite struct KeyParsingTests {
  static let keys: [CacheKey] = [
    "", "user/42", "100%", "\("a/b:c%\n")", "\(Int?.none)", "\(1.5)/x", "a:b", ":", "(", "a(b)c",
    "日本/\("é/👍")", CacheKey(name: "search", arguments: "a,b(c)'", 2),
    CacheKey(name: "", arguments: ""), CacheKey(name: "25"), CacheKey(name: "-"),
    CacheKey(name: "~a", arguments: [1], Int?.none), CacheKey(name: "a/b:c(d)", arguments: true),
  ]

  @Test(arguments: keys)
  func `K5 the printable form is read back`(key: CacheKey) throws {
    #expect(try CacheKey(printable: key.text) == key)
    #expect(try CacheKey(printable: key.text).text == key.text)
  }

  @Test(arguments: keys)
  func `the qualified form and its bytes are read back`(key: CacheKey) {
    for namespace in NamespaceTests.namespaces {
      let qualified = key.within(namespace)
      #expect(CacheKey(qualified: qualified.qualified) == qualified)
      #expect(CacheKey(bytes: qualified.bytes) == qualified)
    }
    #expect(CacheKey(bytes: key.bytes) == key)
    #expect(CacheKey(bytes: key.bytes)?.namespace == nil)
  }

  @Test(arguments: ["%", "a%", "a%2", "a%2f", "a%zz", "%x", "%f(", "%f)", "%f(a)b", "%f(a)(b)"])
  func `malformed escapes are errors that say what to do`(text: String) {
    let error = #expect(throws: CacheError.self) { try CacheKey(printable: text) }
    #expect(error?.code == .invalidKey)
    #expect(error?.message.contains("%25") == true)
    #expect(CacheKey(qualified: ":" + text) == nil)
  }

  @Test(arguments: [
    "", "a", "a@:k", "a@x:k", "a@+1:k", "a@01:k", "a;b:k", "a;b=1;a=2:k", "a;b=1;b=2:k", "a*b:k",
    "%2:k", "%61:k", "@1:k", "n:%",
  ])
  func `what no key prints is not read as a key`(qualified: String) {
    #expect(CacheKey(qualified: qualified) == nil)
  }

  @Test func `bytes that are not UTF-8 are no key`() {
    #expect(CacheKey(bytes: [0x3A, 0xFF]) == nil)
    #expect(CacheKey(bytes: [0x3A, 0x61, 0xC3]) == nil)
    #expect(CacheKey(bytes: []) == nil)
    #expect(CacheKey(bytes: [0x3A]) == "")
  }

  @Test func `a key describes itself by its text, and its namespace if it has one`() {
    #expect("\(Self.keys[1])" as String == "user/42")
    #expect(Self.keys[1].within(Namespace("n", version: 2)).description == "n@2:user/42")
  }
}
