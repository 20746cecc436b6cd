import Testing

@testable import CacheAside

private struct Both<First: Codable & Sendable, Second: Codable & Sendable>: Codable, Sendable {
  var first: First
  var second: Second?
}

private struct One<Wrapped: Codable & Sendable>: Codable, Sendable {
  var one: [Wrapped]
  var again: [String: Wrapped]
}

private enum Either<Left: Codable & Sendable, Right: Codable & Sendable>: Codable, Sendable {
  case left(Left)
  case right(Right)
  indirect case both(Either, Either)
}

/// A type that contains ever larger ones.
private final class Growing<Wrapped: Codable & Sendable>: Codable, Sendable {
  let value: Int
  let next: Growing<[Wrapped]>?
}

private final class Doubling<Wrapped: Codable & Sendable>: Codable, Sendable {
  let next: Doubling<Both<Wrapped, Wrapped>>?
}

private struct Loop: Codable {
  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    while !list.isAtEnd { _ = try? list.decode(Refusing.self) }
    while true { _ = try list.decode(Int.self) }
  }
  func encode(to encoder: any Encoder) throws {}
}

private struct Refusing: Codable {
  init(from decoder: any Decoder) throws { throw CancellationError() }
}

/// The probe's bounds.
@Suite(.timeLimit(.minutes(60)))
struct SchemaProbeBoundsTests {
  private typealias Part = Codable & Sendable

  private func one<Wrapped: Part>(_ type: Wrapped.Type) -> any Part.Type { One<Wrapped>.self }

  private func both<First: Part, Second: Part>(
    _ first: First.Type,
    _ second: Second.Type
  ) -> any Part.Type { Both<First, Second>.self }

  private func either<Left: Part, Right: Part>(
    _ left: Left.Type,
    _ right: Right.Type
  ) -> any Part.Type { Either<Left, Right>.self }

  @Test func `D6 a thousand types at random have a structure, always the same`() throws {
    var random = SplitMix(state: 6)
    var types: [any Part.Type] = [Int.self, String.self, Bool.self, Double.self, UInt8.self]
    while types.count < 1_005 {
      // Of the newest now and then, so that some nest deeply.
      let pick = { () -> any Part.Type in
        let recent = random.next() % 4 == 0
        let low = recent ? max(0, types.count - 8) : 0
        return types[low + Int(random.next() % UInt64(min(types.count - low, 32)))]
      }
      switch random.next() % 3 {
      case 0: types.append(one(pick()))
      case 1: types.append(both(pick(), pick()))
      default: types.append(either(pick(), pick()))
      }
    }
    var texts: Set<String> = []
    for (index, type) in types.enumerated() {
      let text = try #require(SchemaFingerprint.structure(of: type))
      if index % 20 == 0 { #expect(SchemaFingerprint.structure(of: type) == text) }
      texts.insert(text)
    }
    #expect(texts.count == Set(types.map { ObjectIdentifier($0) }).count)
  }

  @Test func `D6 types without end are cut`() throws {
    let growing = try #require(SchemaFingerprint.structure(of: Growing<Int>.self))
    #expect(growing.split(separator: "\n").count < 60)
    #expect(SchemaFingerprint.structure(of: Growing<Int>.self) == growing)
    let doubling = try #require(SchemaFingerprint.structure(of: Doubling<Int>.self))
    #expect(doubling.utf8.count < 1_000_000)
  }

  @Test func `D6 code without end of its own is cut`() throws {
    let text = try #require(SchemaFingerprint.structure(of: Loop.self))
    #expect(text.contains("[0]:"))
    #expect(text.contains("[1]:Swift.Int"))
    #expect(SchemaFingerprint.structure(of: Loop.self) == text)
  }
}
