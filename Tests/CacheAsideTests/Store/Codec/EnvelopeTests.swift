import Testing

@testable import CacheAside

@Suite struct EnvelopeTests {
  static func sample(payload: [UInt8]? = [1, 2, 3]) -> CacheEntry {
    var metadata = CacheMetadata()
    metadata[.tags] = [1, 2]
    metadata[.validator] = []
    metadata[.init(rawValue: 60_000)] = [9, 9, 9]
    return CacheEntry(
      payload: payload,
      codec: .json,
      type: 0x0102_0304_0506_0708,
      schema: 7,
      created: 1_893_456_000_123_456,
      freshUntil: .max,
      keptUntil: -1,
      isExpiredByHand: true,
      metadata: metadata
    )
  }

  static let key = Array("users:42".utf8)

  @Test(arguments: [nil, [], [5], [UInt8](repeating: 3, count: 5_000)] as [[UInt8]?])
  func `a record gives back its key and entry, unknown fields included`(payload: [UInt8]?) throws {
    let entry = Self.sample(payload: payload)
    let decoded = try Envelope.decode(Envelope.encode(entry, key: Self.key))
    #expect(decoded.key == Self.key)
    #expect(decoded.entry == entry)
    #expect(decoded.entry.metadata[.init(rawValue: 60_000)] == [9, 9, 9])
  }

  @Test func `the format does not change`() throws {
    let entry = CacheEntry(
      payload: [0xAA],
      codec: .raw,
      type: 2,
      schema: 3,
      created: 4,
      freshUntil: 5,
      keptUntil: 6
    )
    let record = try Envelope.encode(entry, key: [0x6B])
    let integers: [UInt8] = [
      0x8C, 0x43, 0x41, 0x53, 1, 1, 1, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0,
      5, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
    ]
    #expect(Array(record[..<64]) == integers)
    #expect(record.count == 82)
    #expect(Array(record[80...]) == [0x6B, 0xAA])
    var value: [UInt8] = []
    value.append(littleEndian: Checksum.of([0xAA]))
    #expect(Array(record[64..<72]) == value)
  }

  @Test func `B021 B024 B031 times are UTC microseconds in the header, of any age`() throws {
    for moment: Int64 in [.min / 2, -1, 0, 1, 1_729_990_800_900_000, .max / 2] {
      var entry = Self.sample()
      entry.created = moment
      entry.freshUntil = moment
      entry.keptUntil = moment
      let record = try Envelope.encode(entry, key: Self.key)
      var bytes: [UInt8] = []
      for _ in 0..<3 { bytes.append(littleEndian: moment) }
      #expect(Array(record[40..<64]) == bytes)
      #expect(try Envelope.decode(record).entry == entry)
    }
  }

  @Test func `S2 times that no clock gives are refused by the writer, as by the reader (B318)`() {
    func expectRefusal(_ change: (inout CacheEntry) -> Void) {
      var entry = Self.sample()
      change(&entry)
      #expect(throws: EnvelopeError.self) { try Envelope.encode(entry, key: Self.key) }
      #expect(throws: EnvelopeError.self) { try Envelope.encodeHead(entry, key: Self.key) }
    }
    for moment: Int64 in [.min, .min / 2 - 1] {
      expectRefusal { $0.created = moment }
      expectRefusal { $0.freshUntil = moment }
      expectRefusal { $0.keptUntil = moment }
    }
    for moment: Int64 in [.max, .max / 2 + 1] { expectRefusal { $0.created = moment } }
  }

  @Test func `S2 every flipped bit and every truncation is damage`() throws {
    for payload: [UInt8]? in [nil, [], [1, 2, 3, 4, 5]] {
      let record = try Envelope.encode(Self.sample(payload: payload), key: Self.key)
      for length in record.indices {
        #expect(throws: EnvelopeError.self) { try Envelope.decode(Array(record[..<length])) }
      }
      for index in record.indices {
        for bit in 0..<8 {
          var damaged = record
          damaged[index] ^= 1 << bit
          #expect(throws: EnvelopeError.self) { try Envelope.decode(damaged) }
        }
      }
      #expect(throws: EnvelopeError.excess) { try Envelope.decode(record + [0]) }
    }
  }

  @Test func `random bytes never trap`() {
    var state: UInt64 = 42
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    for round in 0..<5_000 {
      var bytes = (0..<Int(next() % 200)).map { _ in UInt8(truncatingIfNeeded: next()) }
      // Half of them with a plausible beginning, so that the lengths are looked at.
      let start = EnvelopeHeader.magic + [1, 1]
      if round % 2 == 0, bytes.count >= start.count { bytes.replaceSubrange(..<6, with: start) }
      #expect(throws: EnvelopeError.self) { try Envelope.decode(bytes) }
      #expect(throws: EnvelopeError.self) { try Envelope.decodeHead(bytes) }
      _ = try? CacheMetadata(recordBytes: bytes[...])
    }
  }

  @Test func `metadata fields that repeat or go backwards are damage`() throws {
    func field(_ number: UInt8) -> [UInt8] { [number, 0, 1, 0, 0, 0, 7] }
    let sound = try CacheMetadata(recordBytes: (field(1) + field(2))[...])
    #expect(sound.fields.count == 2)
    #expect(throws: EnvelopeError.metadata) {
      try CacheMetadata(recordBytes: (field(2) + field(1))[...])
    }
    #expect(throws: EnvelopeError.metadata) {
      try CacheMetadata(recordBytes: (field(2) + field(2))[...])
    }
  }

  @Test func `lengths that lie are refused before anything is allocated`() throws {
    var record = try Envelope.encode(Self.sample(), key: Self.key)
    for offset in [12, 16, 32] {
      var lying = record
      for index in 0..<4 { lying[offset + index] = 0xFF }
      #expect(throws: EnvelopeError.truncated) { try Envelope.decode(lying) }
    }
    for index in 0..<8 { record[32 + index] = 0xFF }
    #expect(throws: EnvelopeError.truncated) { try Envelope.decode(record) }
    #expect(try EnvelopeHeader(record).recordLength == nil)
  }

  @Test func `a head can be read without its value`() throws {
    let record = try Envelope.encode(Self.sample(), key: Self.key)
    let head = try Envelope.decodeHead(Array(record.dropLast(3)))
    #expect(head.key == Self.key)
    #expect(head.header.keptUntil == -1)
    #expect(head.header.recordLength == record.count)
    #expect(try Envelope.entry(head, value: [1, 2, 3]) == Self.sample())
    #expect(throws: EnvelopeError.value) { try Envelope.entry(head, value: [1, 2, 4]) }
  }
}
