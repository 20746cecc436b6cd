/// The cost of a value that nobody gave one: its size as far as it can be seen.
enum DefaultCost {
  /// Bytes of the encoded form if there is one, of strings and byte arrays, else the size of the
  /// type itself; at least 1, so that a cost limit always has an effect.
  static func of<Value>(_ value: Value, encoded: [UInt8]?) -> Int {
    let inline = max(1, MemoryLayout<Value>.size)
    if let encoded { return max(inline, encoded.count) }
    if let bytes = value as? [UInt8] { return max(inline, bytes.count) }
    if let text = value as? String { return max(inline, text.utf8.count) }
    if let collection = value as? any BytesCosted { return max(inline, collection.byteCount) }
    return inline
  }
}
