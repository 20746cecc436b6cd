// The canonical bytes of `Codable` values that are not `CacheKeyConvertible` through and through.
//
// Values are collected in a tree, since containers may be filled in turns, and written at the end:
// the properties of an object ordered by the UTF-8 bytes of their names, everything else as
// `CacheKey.Encoder` writes it. Types that encode themselves in an unordered or ambiguous way
// (`Set`, `Dictionary`, `Optional`) are recognised by `CanonicallyEncodable` before their own
// `encode(to:)` is asked. No Foundation: its encoder leaves sets in random order.

extension CacheKey.Encoder {
  /// Appends a `Codable` value; one that cannot be encoded equals no other.
  ///
  /// - Parameter value: the value; its `encode(to:)` is called.
  mutating func append(encodable value: some Encodable) {
    do {
      append(element: try CanonicalEncoder.encode(value))
    } catch {
      appendUnequal()
    }
  }
}

/// An encoder that fills one node of the tree.
struct CanonicalEncoder: Swift.Encoder {
  let node: CanonicalNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Encodes by the value's own `encode(to:)`.
  ///
  /// - Parameter value: the value.
  /// - Returns: one element.
  /// - Throws: what `encode(to:)` throws.
  static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = CanonicalEncoder(node: CanonicalNode(), codingPath: [])
    try value.encode(to: encoder)
    return try encoder.node.bytes()
  }

  /// Encodes in the best way that the value's type offers.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - codingPath: where it stands.
  /// - Returns: the value's node.
  /// - Throws: what `encode(to:)` throws.
  static func node(
    of value: some Encodable,
    at codingPath: [any CodingKey]
  ) throws -> CanonicalNode {
    let node = CanonicalNode()
    if let value = value as? any CacheKeyConvertible {
      node.content = .element(CacheKey.Encoder.bytes(of: value))
    } else if let value = value as? any CanonicallyEncodable {
      node.content = .element(try value.canonicalElement())
    } else {
      try value.encode(to: CanonicalEncoder(node: node, codingPath: codingPath))
    }
    return node
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.become(.object([:]))
    return KeyedEncodingContainer(CanonicalObject(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.become(.list([]))
    return CanonicalList(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    CanonicalValue(node: node, codingPath: codingPath)
  }
}

/// A single value in the tree.
private struct CanonicalValue: SingleValueEncodingContainer {
  let node: CanonicalNode
  let codingPath: [any CodingKey]

  func encodeNil() {
    node.become(.element([CacheKey.Encoder.Tag.nothing.rawValue]))
  }

  func encode(_ value: some Encodable) throws {
    node.become(try CanonicalEncoder.node(of: value, at: codingPath).content)
  }
}
