import Foundation
import Testing

@testable import CacheAside

private struct Query: Codable, Hashable, CacheKeyConvertible {
  var tags: Set<String>
  var opts: [String: Int]
}

/// `Codable`, but not `CacheKeyConvertible`.
private struct Filter: Codable, Hashable {
  enum Kind: String, Codable { case any, all }
  enum Choice: Codable, Hashable {
    case none
    case range(Int, upTo: Int)
  }
  var kind = Kind.any
  var choice = Choice.none
  var groups: Set<Group> = []
  var ranks: [Group: Set<Int>] = [:]
  var note: String?
  var depth: Group?? = .none
}

private struct Group: Codable, Hashable { var name: String, size = 0.0 }

private struct Request: Codable, Hashable, CacheKeyConvertible {
  var filter = Filter()
  var filters: [Filter] = []
  var id: UUID?
  var date: Date?
  var url: URL?
}

private struct Renamed: Codable, Hashable, CacheKeyConvertible {
  var b = 1, a = 2, capital = 3, accent = 4, composed = 5
  enum CodingKeys: String, CodingKey {
    case composed = "\u{65}\u{301}x"
    case b, a
    case accent = "é"
    case capital = "B"
  }
}

private struct Failing: Encodable, Hashable, CacheKeyConvertible {
  func encode(to encoder: any Encoder) throws { throw CacheError(.unsupported, "never") }
}

private struct TwoKinds: Encodable, Hashable, CacheKeyConvertible {
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(1)
    var value = encoder.singleValueContainer()
    try value.encode(1)
  }
}

private class Base: Codable {
  var a = 1
}
private final class Derived: Base {
  var b = 2
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(b, forKey: .b)
    try super.encode(to: container.superEncoder())
    var nested = container.nestedUnkeyedContainer(forKey: .list)
    try nested.encodeNil()
    var inner = nested.nestedContainer(keyedBy: Name.self)
    try inner.encodeNil(forKey: .b)
    try base64(nested.superEncoder())
  }
  private func base64(_ encoder: any Encoder) throws { try "x".encode(to: encoder) }
  enum Name: String, CodingKey { case b, list }
}

@Suite struct CodableKeyTests {
  func bytes(_ value: some CacheKeyConvertible) -> [UInt8] { CacheKey.Encoder.bytes(of: value) }

  @Test func `B037 K1 sets and dictionaries inside are in canonical order`() {
    let names = (0..<40).map { Group(name: "group\($0)") }
    var one = Request()
    one.filter.groups = Set(names)
    one.filter.ranks = Dictionary(uniqueKeysWithValues: names.map { ($0, [1, 2, 3]) })
    var other = Request()
    for name in names.reversed() {
      other.filter.groups.insert(name)
      other.filter.ranks[name] = [3, 2, 1]
    }
    one.filters = [one.filter]
    other.filters = [other.filter]
    #expect(one == other)
    #expect(bytes(one) == bytes(other))
    let query = Query(tags: ["x", "y", "z"], opts: ["a": 1, "b": 2, "c": 3])
    #expect(bytes(query) == bytes(Query(tags: ["z", "y", "x"], opts: ["c": 3, "b": 2, "a": 1])))
  }

  @Test func `different values differ`() throws {
    let requests: [(inout Request) -> Void] = [
      { _ in }, { $0.filter.kind = .all }, { $0.filter.choice = .range(1, upTo: 2) },
      { $0.filter.choice = .range(2, upTo: 1) }, { $0.filter.groups = [Group(name: "a")] },
      { $0.filter.groups = [Group(name: "a", size: 1)] }, { $0.filter.note = "" },
      { $0.filter.note = "a" }, { $0.filter.depth = .some(.none) },
      { $0.filter.depth = Group(name: "") }, { $0.filters = [Filter()] },
      { $0.filters = [Filter(), Filter()] }, { $0.id = UUID() },
      { $0.date = Date(timeIntervalSinceReferenceDate: 0) },
      { $0.filter.ranks = [Group(name: "a"): []] }, { $0.filter.ranks = [Group(name: "a"): [1]] },
      { $0.filter.ranks = [Group(name: "b"): [1]] },
    ]
    let forms = requests.map { change in
      var request = Request()
      change(&request)
      return bytes(request)
    }
    #expect(Set(forms).count == forms.count)
  }

  @Test func `B038 properties are ordered by the UTF-8 bytes of their names`() {
    let form = bytes(Renamed())
    var expected = CacheKey.Encoder()
    for (name, value) in [("B", 3), ("a", 2), ("b", 1), ("é", 4), ("éx", 5)] {
      expected.encode(name)
      expected.encode(value)
    }
    #expect(Array(form.dropFirst(2)) == expected.bytes)
    #expect(form[0] == CacheKey.Encoder.Tag.object.rawValue)
    #expect(Int(form[1]) == expected.bytes.count)
  }

  @Test func `convertible values inside are encoded as outside`() throws {
    struct Box<Value: Codable & CacheKeyConvertible>: Codable, Hashable, CacheKeyConvertible {
      var v: Value
    }
    func check<Value: Codable & CacheKeyConvertible>(_ value: Value) {
      var expected = CacheKey.Encoder()
      expected.encode("v")
      expected.encode(value)
      #expect(Array(bytes(Box(v: value)).dropFirst(2)) == expected.bytes)
    }
    check(1)
    check(UInt64.max)
    check("cafe\u{301}")
    check(-0.0)
    check(Double.nan)
    check(UUID())
    check(Date())
    check(Data([1, 2]))
    check(Decimal(5))
    check([1: "a"])
    check(Set(["a"]))
    check(Duration.seconds(3))
    check(try #require(URL(string: "https://h/")))
  }

  @Test func `levels of nested optionals differ in lists and sets`() {
    struct Lists: Codable, Hashable, CacheKeyConvertible {
      var list: [Group??] = []
      var set: Set<Group?> = []
      var map: [String: Group??] = [:]
    }
    let values = [
      Lists(), Lists(list: [.none]), Lists(list: [.some(.none)]), Lists(list: [Group(name: "")]),
      Lists(set: [nil]), Lists(set: [Group(name: "")]), Lists(map: ["a": Group??.some(.none)]),
      Lists(map: ["a": Group??.none]), Lists(map: ["a": Group(name: "")]),
    ]
    #expect(Set(values).count == values.count)
    #expect(Set(values.map { bytes($0) }).count == values.count)
  }

  @Test func `a value that cannot be encoded equals no other and is not nothing`() {
    #expect(bytes(Failing()) != bytes(Failing()))
    #expect(bytes(TwoKinds()) != bytes(TwoKinds()))
    #expect(bytes(Failing()).count == 17)
    #expect(Failing().keyIdentity != Failing().keyIdentity)
  }

  @Test func `nested containers and superclasses are written`() throws {
    let form = try CanonicalEncoder.encode(Derived())
    let other = Derived()
    other.a = 9
    #expect(try CanonicalEncoder.encode(Derived()) == form)
    #expect(try CanonicalEncoder.encode(other) != form)
    // o: b = 2, list = [nil, {b: nil}, "x"], super = {a: 1}
    #expect(
      Hex.lowercase(form)
        == "6f2775016269010275046c697374" + "6c0a6e6f047501626e750178"
        + "750573757065726f06750161690101"
    )
  }
}
