extension CacheMetadata {
  /// The fields as they are written: tag, length and bytes of each.
  var recordBytes: [UInt8] {
    if fields.isEmpty { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(fields.reduce(0) { $0 + 6 + $1.bytes.count })
    for (field, content) in fields {
      bytes.append(littleEndian: field.rawValue)
      bytes.append(littleEndian: UInt32(clamping: content.count))
      bytes += content
    }
    return bytes
  }

  /// Reads fields, those that this version does not know included; they are ordered by number.
  init(recordBytes bytes: ArraySlice<UInt8>) throws(EnvelopeError) {
    var fields: [(field: Field, bytes: [UInt8])] = []
    var rest = bytes
    while !rest.isEmpty {
      guard rest.count >= 6 else { throw .metadata }
      let start = rest.startIndex
      let field = Field(rawValue: UInt16(rest[start]) | UInt16(rest[start + 1]) << 8)
      var number: UInt32 = 0
      for index in 0..<4 { number |= UInt32(rest[start + 2 + index]) << (8 * index) }
      rest = rest.dropFirst(6)
      guard let length = Int(exactly: number), length <= rest.count else { throw .metadata }
      if let last = fields.last, last.field.rawValue >= field.rawValue { throw .metadata }
      fields.append((field, Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    self.init(ordered: fields)
  }
}
