/// The properties of an object in the tree of `CanonicalEncoder`.
struct CanonicalObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: CanonicalNode
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) {
    let value = CanonicalNode()
    value.content = .element([CacheKey.Encoder.Tag.nothing.rawValue])
    node.set(value, for: key)
  }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    node.set(try CanonicalEncoder.node(of: value, at: codingPath + [key]), for: key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder(for: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(for: key).unkeyedContainer()
  }

  func superEncoder() -> any Swift.Encoder { encoder(for: AnyCodingKey(stringValue: "super")) }

  func superEncoder(forKey key: Key) -> any Swift.Encoder { encoder(for: key) }

  private func encoder(for key: any CodingKey) -> CanonicalEncoder {
    CanonicalEncoder(node: node.child(for: key), codingPath: codingPath + [key])
  }
}
