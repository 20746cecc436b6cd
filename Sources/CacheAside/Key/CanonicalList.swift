/// The elements of a list in the tree of `CanonicalEncoder`.
struct CanonicalList: UnkeyedEncodingContainer {
  let node: CanonicalNode
  let codingPath: [any CodingKey]

  var count: Int { node.count }

  func encodeNil() {
    let value = CanonicalNode()
    value.content = .element([CacheKey.Encoder.Tag.nothing.rawValue])
    node.append(value)
  }

  func encode(_ value: some Encodable) throws {
    node.append(try CanonicalEncoder.node(of: value, at: path))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    next().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

  func superEncoder() -> any Swift.Encoder { next() }

  private var path: [any CodingKey] { codingPath + [AnyCodingKey(stringValue: "\(count)")] }

  private func next() -> CanonicalEncoder {
    let encoder = CanonicalEncoder(node: CanonicalNode(), codingPath: path)
    node.append(encoder.node)
    return encoder
  }
}
