import Testing

@testable import CacheAside

private enum Sort: String, CacheKeyConvertible { case newest }

private func none<each Argument: CacheKeyConvertible>(
  _ arguments: repeat each Argument
) -> ArgumentPack<repeat each Argument> {
  ArgumentPack(repeat each arguments)
}

@Suite struct KeyStrategyTests {
  @Test func `each strategy derives its key`() {
    let key: CacheKey = "a/\("b/c")"
    #expect(KeyStrategy<CacheKey>.identity.derive(key) == key)
    #expect(KeyStrategy<String>.text.derive("me").text == "me")
    #expect(KeyStrategy<String>.text.derive("a/b%").text == "a%2Fb%25")
  }

  @Test func `a table's key derives the key of the arguments that it stands for`() {
    func check<Key: CacheKeyConvertible>(_ key: Key, _ text: String) {
      #expect(KeyStrategy<Key>.arguments(name: "f").derive(key).text == text)
      let identity = KeyStrategy<Key.KeyIdentity>.arguments(name: "f").derive(key.keyIdentity)
      #expect(identity.text == text)
    }
    let list = CacheKey(name: "f", arguments: [1, 2]).text
    check(42, "%f(42)")
    check("a", "%f('a)")
    check("ba".dropFirst(), "%f('a)")
    check([1, 2], list)
    check([1, 2] as [Int]?, list)
    check(-0.0, CacheKey(name: "f", arguments: 0.0).text)
    check(Sort.newest, "%f('newest)")
    check(Sort?.none, "%f(%-)")
    check(Int??.some(.none), "%f(%~c24)")
    check(ArgumentPair(1, "a"), "%f(1,'a)")
    check(
      ArgumentPair([1, 2], Double.nan),
      CacheKey(name: "f", arguments: [1, 2], Double.nan).text
    )
    check(ArgumentPack(1, "a", Sort.newest, [1, 2]), "%f(1,'a,'newest,\(list.dropFirst(3))")
    check(ArgumentPack(7), "%f(7)")
    check(none(), "%f()")
    check("k" as CacheKey, CacheKey(name: "f", arguments: "k" as CacheKey).text)
  }
}
