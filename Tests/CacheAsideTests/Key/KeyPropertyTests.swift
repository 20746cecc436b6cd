import Testing

@testable import CacheAside

/// A value of any shape, with the equality that keys should have.
private indirect enum Tree: CacheKeyConvertible {
  case int(Int), text(String), flag(Bool), none
  case list([Tree]), set(Set<Tree>), map([String: Tree])

  func encode(into encoder: inout CacheKey.Encoder) {
    switch self {
    case .int(let value): encoder.encode(value)
    case .text(let value): encoder.encode(value)
    case .flag(let value): encoder.encode(value)
    case .none: encoder.encode(Int?.none)
    case .list(let value): encoder.encode(value)
    case .set(let value): encoder.encode(value)
    case .map(let value): encoder.encode(value)
    }
  }

  static func random(depth: Int, using generator: inout SplitMix) -> Tree {
    switch Int.random(in: 0..<(depth == 0 ? 4 : 7), using: &generator) {
    case 0: return .int(Int.random(in: -2...300, using: &generator))
    case 1: return .text(text(using: &generator))
    case 2: return .flag(Bool.random(using: &generator))
    case 3: return .none
    case 4: return .list(children(depth, using: &generator))
    case 5: return .set(Set(children(depth, using: &generator)))
    default:
      let pairs = children(depth, using: &generator).map { ($0, text(using: &generator)) }
      return .map(Dictionary(pairs.map { ($1, $0) }) { $1 })
    }
  }

  static func text(using generator: inout SplitMix) -> String {
    let pieces = [
      "a", "b", "i", "\u{1}", "/", "%", ":", ",", "(", ")", "'", "e", "\u{301}", "日", "A", "=",
    ]
    let count = Int.random(in: 0...3, using: &generator)
    return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  private static func children(_ depth: Int, using generator: inout SplitMix) -> [Tree] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      random(depth: depth - 1, using: &generator)
    }
  }
}

@Suite struct KeyPropertyTests {
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `K1 random values have equal bytes exactly when they are equal`(seed: UInt64) {
    var generator = SplitMix(state: seed)
    var byBytes: [[UInt8]: Tree] = [:]
    var byValue: [Tree: [UInt8]] = [:]
    var wrong: [(Tree, Tree)] = []
    for _ in 0..<3000 {
      let tree = Tree.random(depth: 3, using: &generator)
      let bytes = CacheKey.Encoder.bytes(of: tree)
      if let other = byBytes[bytes], other != tree { wrong.append((tree, other)) }
      if let other = byValue[tree], other != bytes { wrong.append((tree, tree)) }
      byBytes[bytes] = tree
      byValue[tree] = bytes
    }
    #expect(wrong.isEmpty, "seed \(seed): \(wrong.prefix(3))")
    #expect(byBytes.count > 1000)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `K5 random keys are read back and differ with their parts`(seed: UInt64) throws {
    var generator = SplitMix(state: seed)
    var seen: [CacheKey: [String]] = [:]
    var wrong: [String] = []
    for round in 0..<2000 {
      let (a, b) = (Tree.text(using: &generator), Tree.text(using: &generator))
      let keys = [
        "t/\(a)/\(b)" as CacheKey, CacheKey(name: "f", arguments: a, b),
        CacheKey(name: a, arguments: b),
        CacheKey(stringLiteral: a),
      ]
      for (form, key) in keys.enumerated().prefix(round % 2 == 0 ? 4 : 2) {
        let parts = form == 3 ? ["3", a] : ["\(form)", a, b]
        let namespaced = key.within(Namespace(b, scope: CacheScope([a: b])))
        if try CacheKey(printable: key.text) != key || CacheKey(bytes: key.bytes) != key
          || CacheKey(bytes: namespaced.bytes) != namespaced
          || !Normalize.nfc(key.text + "\u{4DC0}").utf8.elementsEqual((key.text + "\u{4DC0}").utf8)
          || (seen[key].map { $0 != parts } ?? false)
        {
          wrong.append("\(parts) \(key.text) \(seen[key] ?? [])")
        }
        seen[key] = parts
      }
    }
    #expect(wrong == [], "seed \(seed)")
  }
}
