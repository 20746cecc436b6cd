/// A value that shows by itself whether it is whole: every byte follows from key, writer and version.
struct Stamp: Equatable {
  var key: String
  var writer: Int
  /// Grows with every operation of a writer, over all rounds.
  var version: Int

  /// Mostly 32 bytes to 20 KB; one in 64 is large enough to be written in two pieces.
  var bytes: [UInt8] {
    let name = Array(key.utf8)
    var random = SplitMix64(state: UInt64(version) &* 31 &+ UInt64(writer))
    for byte in name { random.state = random.state &* 257 &+ UInt64(byte) }
    let isLarge = random.next() % 64 == 0
    let length = isLarge ? 100_000 : 32 + Int(random.next() % 20_000)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length + 64)
    Self.append(UInt64(name.count), to: &bytes)
    bytes += name
    Self.append(UInt64(writer), to: &bytes)
    Self.append(UInt64(version), to: &bytes)
    while bytes.count < length { Self.append(random.next(), to: &bytes) }
    return bytes
  }

  init(key: String, writer: Int, version: Int) {
    self.key = key
    self.writer = writer
    self.version = version
  }

  /// Reads one back; `nil` when any byte is not as it was written.
  init?(_ bytes: [UInt8]) {
    func word(at offset: Int) -> Int? {
      guard offset + 8 <= bytes.count else { return nil }
      return Int(
        exactly: bytes[offset..<offset + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      )
    }
    guard let count = word(at: 0), count >= 0, count < 1_000, let writer = word(at: 8 + count),
      let version = word(at: 16 + count)
    else { return nil }
    self.init(
      key: String(decoding: bytes[8..<8 + count], as: UTF8.self),
      writer: writer,
      version: version
    )
    guard bytes == self.bytes else { return nil }
  }

  private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}

/// A seeded generator, so that a run can be repeated.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
