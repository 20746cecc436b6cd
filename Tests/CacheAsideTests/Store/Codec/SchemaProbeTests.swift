import Foundation
import Testing

@testable import CacheAside

/// What the probe finds out about types: golden texts.
struct SchemaProbeTests {
  enum Shape: Codable {
    case circle(radius: Double)
    case label(String, bold: Bool)
    case none
  }

  enum Status: String, Codable { case active, gone }

  enum Level: Int, Codable, CaseIterable { case low = 5, high = 9 }

  enum Only: String, Codable { case user }

  indirect enum Tree: Codable {
    case leaf(Int)
    case node(Tree, Tree)
  }

  struct Person: Codable {
    var name: String
    var age: Int?
    var status: Status
    var level: Level
    var kind: Only
    var tags: Set<String>
    var friends: [Person]
    var home: Address?
    var notes: [Level: [Address?]]
    var id: UUID
    var born: Date
    var last: Bool
  }

  struct Address: Codable { var street: String }

  struct Pair: Codable {
    var x: Int
    var y: Int
    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      x = try values.decode(Int.self)
      y = try values.decodeIfPresent(Int.self) ?? 0
    }
    func encode(to encoder: any Encoder) throws {
      var values = encoder.unkeyedContainer()
      try values.encode(x)
      try values.encode(y)
    }
  }

  class Base: Codable { var a = 1 }

  final class Derived: Base {
    var b = 2
    private enum Keys: CodingKey { case b }
    required init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Keys.self)
      b = try values.decode(Int.self, forKey: .b)
      try super.init(from: values.superDecoder())
    }
  }

  struct Picky: Codable {
    var first: Int
    var mail: Mail
    var never: Int
    struct Mail: Codable {
      var text: String
      init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        if !text.contains("@") { throw CancellationError() }
      }
    }
  }

  /// The text of a type, with the names of this suite left out.
  private func text(_ type: Any.Type) -> String? {
    SchemaFingerprint.structure(of: type)?
      .replacing("CacheAsideTests.SchemaProbeTests.", with: "")
      .replacing("Swift.", with: "")
  }

  @Test func `D6 a structure names its keys, their types, what is optional and what is nested`() {
    #expect(
      text(Person.self) == """
        Person
        Address {.street:String; {}}
        Level {:Int}
        Only {:String}
        Person {.age:Optional<Int>; .born:Foundation.Date; .friends:Array<Person>; \
        .home:Optional<Address>; .id:Foundation.UUID; .kind:Only; .last:Bool; .level:Level; .name:String; \
        .notes:Dictionary<Level, Array<Optional<Address>>>; .status:Status; .tags:Set<String>; {}}
        Status {:String}
        """
    )
  }

  @Test func `D6 every case of an enum shows what it carries`() {
    #expect(
      text(Shape.self) == """
        Shape
        Shape {.circle.radius; .circle.radius:Double; .circle:(radius: Double); .circle{}; .label._0; \
        .label._0:String; .label.bold; .label:(String, bold: Bool); .label{}; .none{}; {}}
        """
    )
    #expect(
      text(Tree.self) == """
        Tree
        Tree {.leaf._0; .leaf._0:Int; .leaf:Int; .leaf{}; .node._0; .node._0:Tree; .node._1; \
        .node:(Tree, Tree); .node{}; {}}
        """
    )
  }

  @Test func `D6 containers of other kinds show what is taken from them`() {
    #expect(text(Pair.self) == "Pair\nPair {=x:Int; =y:Int; [0]:Int; []}")
    #expect(
      text(Derived.self) == "Derived\nBase {.a:Int; {}}\nDerived {.b:Int; <:Base; {}}"
    )
    #expect(text(Int.self) == "Int")
    #expect(text([SIMD4<Float>].self) == "Array<SIMD4<Float>>")
    #expect(text(SchemaProbeTests.self) == nil)
  }

  @Test func `fields behind one of a type that refuses values are in the structure (B330)`() {
    #expect(
      text(Picky.self) == """
        Picky
        Picky {.first:Int; .mail:Picky.Mail; .never:Int; {}}
        Picky.Mail {:String; =text:String}
        """
    )
  }

  @Test func `D6 a fingerprint is the same in every process`() {
    #expect(SchemaFingerprint.of(Shape.self) == SchemaFingerprint.of(Shape?.self))
    #expect(SchemaFingerprint.of(SchemaProbeTests.self) == 0)
    #expect(SchemaFingerprint.of(Int.self) == 80_622_487)
    #expect(SchemaFingerprint.of(Address.self) == 1_056_670_907)
    let names = Set([Int.self, String.self, Address.self, Person.self].map(SchemaFingerprint.of))
    #expect(names.count == 4)
  }

  struct Renamed: Codable {
    var name: String
    var other: Int?
    var cached = 1
    private enum CodingKeys: String, CodingKey {
      case name = "n"
      case other
    }
  }

  struct Erased: Codable {
    let text: String
    init(from decoder: any Decoder) throws {
      let keys = try decoder.container(keyedBy: AnyKey.self)
      text = try keys.decode(String.self, forKey: AnyKey("text"))
    }
    func encode(to encoder: any Encoder) throws {}
  }

  struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  final class Generic<Element: Codable>: Codable {
    var element: Element
    var rest: [Element?]
    init(_ element: Element) { (self.element, rest) = (element, []) }
  }

  @Test func `keys are named as they are written, and what is not coded does not count (B330)`() {
    #expect(text(Renamed.self) == "Renamed\nRenamed {.n:String; .other:Optional<Int>; {}}")
    #expect(SchemaFingerprint.hidden(in: Renamed.self).isEmpty)
    #expect(
      text(Generic<UInt8>.self)
        == "Generic<UInt8>\nGeneric<UInt8> {.element:UInt8; .rest:Array<Optional<UInt8>>; {}}"
    )
  }

  @Test func `types that are coded by hand out of sight are named (B330)`() {
    #expect(SchemaFingerprint.hidden(in: [Erased].self).count == 1)
    #expect(SchemaFingerprint.hidden(in: Pair.self).count == 1)
    #expect(SchemaFingerprint.hidden(in: Person.self).isEmpty)
    #expect(SchemaFingerprint.hidden(in: Shape.self).isEmpty)
    #expect(SchemaFingerprint.hidden(in: [Picky].self).isEmpty)
    #expect(text(Erased.self) == "Erased\nErased {.text:String; =text:String; {}}")
  }

  @Test func `D6 cases are counted only for enums without payloads`() {
    enum Empty {}
    #expect(EnumCases.count(of: Status.self) == 2)
    #expect(EnumCases.count(of: Only.self) == 1)
    #expect(EnumCases.count(of: Empty.self) == 0)
    #expect(EnumCases.count(of: Bool.self) == 0)
    #expect(EnumCases.count(of: Shape.self) == 0)
    #expect(EnumCases.count(of: Bool?.self) == 0)
    #expect(EnumCases.value(at: 1, of: Status.self) == .gone)
    #expect(EnumCases.value(at: 2, of: Status.self) == nil)
  }
}
