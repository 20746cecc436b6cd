import Testing

@testable import CacheAside

@Suite struct KeyDigestTests {
  func check(_ strings: [String]) {
    let keys = strings.flatMap { string -> [CacheKey] in
      ["\(string)", ("\(string)" as CacheKey).within(Namespace("n"))]
    }
    let names = keys.map(\.fileName)
    #expect(Set(names).count == keys.count)
    for name in names {
      #expect(name.utf8.count == 64)
      #expect(name == name.lowercased())
      #expect(name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    }
  }

  @Test func `B040 keys of any length have short and different names`() {
    let long = String(repeating: "a", count: 999_999)
    check(
      [254, 255, 256, 4096].map { String(repeating: "a", count: $0) }
        + [String(repeating: "日", count: 100), long + "a", long + "b"]
    )
  }

  @Test func `B041 what stands behind a period counts`() {
    check(["A.1", "A.2", "A", "A.", ".A"])
  }

  @Test func `B042 S7 no character of a key reaches the name`() {
    check([
      "", ".", "..", "../../evil", "/etc/x", "a/b", "a\\b", "a\u{0}b", "a", "https://h/p?q=1#f",
      "CON", "a\n",
    ])
  }

  @Test func `B043 keys that differ in case differ on every file system`() {
    check(["aaa", "aaG", "Key", "key", "YWFh", "YWFH"])
  }

  @Test func `the digest is that of the bytes`() {
    let key = ("a/\("b/c")" as CacheKey).within(Namespace("n"))
    #expect(key.bytes == Array("n:a/b%2Fc".utf8))
    #expect(key.digest == StableDigest.hash(key.bytes))
    #expect(key.digest.count == 32)
    #expect(key.fileName == Hex.lowercase(key.digest))
    #expect(
      String(key.digestPrefix, radix: 16) == String(key.fileName.prefix(16).drop { $0 == "0" })
    )
  }
}
