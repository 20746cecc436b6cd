/// A value in the tree that `CanonicalEncoder` builds.
///
/// It belongs to one encoding and never leaves its thread.
final class CanonicalNode {
  enum Content {
    /// Nothing was encoded.
    case empty
    /// One element.
    case element([UInt8])
    /// Values by name, the names in normalisation form C.
    case object([String: CanonicalNode])
    /// Values in their order.
    case list([CanonicalNode])
  }

  var content = Content.empty
  /// Whether the value asked for containers of different kinds.
  private var isContradictory = false

  /// Takes a kind of content, keeping what is there when it is of that kind.
  ///
  /// - Parameter new: an empty container or one element.
  func become(_ new: Content) {
    switch (content, new) {
    case (.empty, _): content = new
    case (.object, .object(let values)) where values.isEmpty: break
    case (.list, .list(let values)) where values.isEmpty: break
    default:
      isContradictory = true
      content = new
    }
  }

  /// The node of a name, replacing one that is there.
  ///
  /// - Parameters:
  ///   - node: the new node.
  ///   - key: the name.
  func set(_ node: CanonicalNode, for key: any CodingKey) {
    guard case .object(var values) = content else { return }
    content = .empty
    values[Normalize.nfc(key.stringValue)] = node
    content = .object(values)
  }

  /// The node of a name, a new one unless it is there.
  ///
  /// - Parameter key: the name.
  /// - Returns: the node.
  func child(for key: any CodingKey) -> CanonicalNode {
    if case .object(let values) = content,
      let node = values[Normalize.nfc(key.stringValue)]
    {
      return node
    }
    let node = CanonicalNode()
    set(node, for: key)
    return node
  }

  /// Adds a node to a list.
  ///
  /// - Parameter node: the new node.
  func append(_ node: CanonicalNode) {
    guard case .list(var nodes) = content else { return }
    content = .empty
    nodes.append(node)
    content = .list(nodes)
  }

  /// How many nodes a list has.
  var count: Int {
    guard case .list(let nodes) = content else { return 0 }
    return nodes.count
  }

  /// The canonical bytes.
  ///
  /// - Returns: one element.
  /// - Throws: `EncodingError` when the value asked for containers of different kinds.
  func bytes() throws -> [UInt8] {
    guard !isContradictory else {
      throw EncodingError.invalidValue(
        self,
        .init(codingPath: [], debugDescription: "the value is of two kinds at once")
      )
    }
    var encoder = CacheKey.Encoder()
    switch content {
    case .element(let bytes): return bytes
    case .empty: encoder.append(.object, [])
    case .list(let nodes): encoder.append(.list, try nodes.flatMap { try $0.bytes() })
    case .object(let values):
      let ordered = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      var inner = CacheKey.Encoder()
      for (name, node) in ordered {
        inner.encode(name)
        inner.append(element: try node.bytes())
      }
      encoder.append(.object, inner.bytes)
    }
    return encoder.bytes
  }
}
