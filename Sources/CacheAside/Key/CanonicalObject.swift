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

  func superEncoder() -> any Swift.Encoder { encoder(for: AnyName(stringValue: "super")) }

  func superEncoder(forKey key: Key) -> any Swift.Encoder { encoder(for: key) }

  private func encoder(for key: any CodingKey) -> CanonicalEncoder {
    CanonicalEncoder(node: node.child(for: key), codingPath: codingPath + [key])
  }
}

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

  private var path: [any CodingKey] { codingPath + [AnyName(stringValue: "\(count)")] }

  private func next() -> CanonicalEncoder {
    let encoder = CanonicalEncoder(node: CanonicalNode(), codingPath: path)
    node.append(encoder.node)
    return encoder
  }
}

/// A name that no type declares: of a superclass, or an index.
private struct AnyName: CodingKey {
  let stringValue: String
  var intValue: Int? { Int(stringValue) }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { stringValue = String(intValue) }
}
