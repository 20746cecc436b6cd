import Foundation
import Testing

@testable import CacheAside

private struct Measure: Codable, Hashable, CacheKeyConvertible { var x: Double }
private enum Sort: String, CacheKeyConvertible { case newest, oldest }
private enum Mode: Int, Codable, CacheKeyConvertible { case a = 1 }
private struct Exact: ExactCacheKey {
  var id: Int
  func encode(into encoder: inout CacheKey.Encoder) { encoder.encode(id) }
}

@Suite struct KeyIdentityTests {
  func type(of value: some CacheKeyConvertible) -> String { "\(Swift.type(of: value.keyIdentity))" }

  @Test func `exact types stand for themselves, raw values for theirs, others as bytes`() {
    #expect(type(of: 1) == "Int" && type(of: UInt8(1)) == "UInt8" && type(of: true) == "Bool")
    #expect(type(of: "a") == "String" && type(of: UUID()) == "UUID")
    #expect(type(of: Int?.some(1)) == "Optional<Int>")
    #expect(type(of: Sort.newest) == "String" && type(of: Mode.a) == "Int")
    #expect(type(of: Sort?.none) == "Optional<String>")
    #expect(type(of: 1.5) == "CanonicalFloat" && type(of: Float(1)) == "CanonicalFloat")
    #expect(type(of: Exact(id: 1)) == "Exact" && type(of: "k" as CacheKey) == "CacheKey")
    #expect(type(of: Measure(x: 1)) == "EncodedArgument" && type(of: [1]) == "EncodedArgument")
    #expect(type(of: ArgumentPair(1, 2.0)) == "ArgumentPair<Int, CanonicalFloat>")
  }

  @Test func `an exact key takes no more memory than the argument`() {
    #expect(MemoryLayout<ArgumentPair<Int, String>.KeyIdentity>.size == 24)
    #expect(MemoryLayout<Double.KeyIdentity>.size == 8)
    #expect(MemoryLayout<ArgumentPack<Int, Bool>.KeyIdentity>.size == 9)
    // 32 bytes of text in place.
    #expect(MemoryLayout<CacheKey>.size == 40 && MemoryLayout<CacheKey?>.size == 40)
    #expect(MemoryLayout<EncodedArgument>.size == 8)
  }

  @Test func `B045 every NaN is one key of a memory table`() {
    let nans = [Double.nan, -.nan, .signalingNaN, Double(nan: 7, signaling: false)]
    #expect(Set(nans.map(\.keyIdentity)).count == 1)
    #expect(Set(nans.map { ArgumentPair($0, 1).keyIdentity }).count == 1)
    #expect(Set(nans.map { ArgumentPack("a", $0, Float($0)).keyIdentity }).count == 1)
    #expect(Set(nans.map { Measure(x: $0).keyIdentity }).count == 1)
    #expect(Set(nans.map { Optional($0).keyIdentity }).count == 1)
    #expect(Set(nans.map { CacheKey(name: "f", arguments: $0) }).count == 1)
    #expect(Double.nan.keyIdentity != 0.0.keyIdentity)
    #expect((-0.0).keyIdentity == 0.0.keyIdentity)
    #expect(Set([1.5, -1.5, .infinity, 0, .nan].map(\.keyIdentity)).count == 5)
  }

  @Test func `equal arguments are equal keys of a memory table, different ones different`() {
    let pairs = [
      ArgumentPair(1, "a"), ArgumentPair(2, "a"), ArgumentPair(1, "b"),
      ArgumentPair(1, "cafe\u{301}"),
    ]
    #expect(Set(pairs.map(\.keyIdentity)).count == 4)
    #expect(ArgumentPair(1, "caf\u{E9}").keyIdentity == pairs[3].keyIdentity)
    #expect(ArgumentPair(1, "caf\u{E9}").keyIdentity.hashValue == pairs[3].keyIdentity.hashValue)
    let packs = [(1, "a", true), (1, "a", false), (2, "a", true), (1, "b", true)]
      .map { ArgumentPack($0.0, $0.1, $0.2).keyIdentity }
    #expect(Set(packs).count == 4)
    #expect(packs[0] == ArgumentPack(1, "a", true).keyIdentity)
    #expect(Sort.newest.keyIdentity != Sort.oldest.keyIdentity)
  }

  @Test func `a table's key has the bytes of what it stands for`() {
    func check<Value: CacheKeyConvertible>(_ value: Value) {
      let identity = value.keyIdentity
      #expect(CacheKey.Encoder.bytes(of: identity) == CacheKey.Encoder.bytes(of: value))
      #expect(identity.keyIdentity == identity)
    }
    check(1)
    check(Double.nan)
    check(Optional(-0.0))
    check([1, 2])
    check([[1], nil])
    check(Measure?.some(Measure(x: 2)))
    check(ArgumentPair([1], ArgumentPair(2.0, Sort.newest)))
    check(ArgumentPack([Int]?.none, Sort?.some(.newest), "a"))
    check(Int???.some(.some(.none)))
    check([Int]??.some(.none))
  }
}
