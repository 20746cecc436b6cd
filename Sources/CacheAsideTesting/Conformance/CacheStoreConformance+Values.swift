// Checks: what is read back is what was written.
import CacheAside

extension CacheStoreConformance.Trial {
  func absentKey() async throws {
    try await expectEntry(nil, for: key("absent"))
    try await store.set(entry("there"), for: key("present"))
    try await expectEntry(nil, for: key("absent"), "beside another key")
  }

  func entryComesBack() async throws {
    let written = entry(Array(0...255))
    try await store.set(written, for: key("bytes"))
    try await expectEntry(written, for: key("bytes"))
    try await expectEntry(written, for: key("bytes"), "at the second read")
  }

  func nilAndEmptyPayload() async throws {
    let (absent, empty) = (entry(nil as [UInt8]?), entry([]))
    try await store.set(absent, for: key("nil"))
    try await store.set(empty, for: key("empty"))
    try await expectEntry(absent, for: key("nil"))
    try await expectEntry(empty, for: key("empty"))
  }

  func times() async throws {
    let now = clock.wallMicroseconds
    let moments: [(created: Int64, fresh: Int64, kept: Int64)] = [
      (now, .max, .max),
      (now, now + 1, .max),
      (now, now + 1_000_000, now + 3_600_000_000),
      (now, .max - 1, .max - 1),
      (0, now + 123_456_789, .max),
      (1, 2, .max),
      (now - 1, now - 1, now + 86_400_000_000),
    ]
    for (index, moment) in moments.enumerated() {
      for isExpiredByHand in [false, true] {
        var written = entry("\(index)")
        written.created = moment.created
        written.freshUntil = moment.fresh
        written.keptUntil = moment.kept
        written.isExpiredByHand = isExpiredByHand
        try await store.set(written, for: key("times"))
        try await expectEntry(written, for: key("times"), "times no. \(index)")
      }
    }
  }

  func codecTypeAndSchema() async throws {
    for codec: UInt16 in [1, 2, 256, .max] {
      for (type, schema): (UInt64, UInt32) in [(0, 0), (1, 7), (1 << 63, .max), (.max, 1)] {
        var written = entry("value")
        written.codec = CodecIdentifier(rawValue: codec)
        written.type = type
        written.schema = schema
        try await store.set(written, for: key("codec"))
        try await expectEntry(written, for: key("codec"))
      }
    }
  }

  func metadata() async throws {
    var written = entry("value")
    written.metadata[.tags] = Array("auth,users".utf8)
    written.metadata[.validator] = Array("\"etag\u{0}\"".utf8)
    written.metadata[.loadTime] = [0, 0, 0, 0, 0, 0, 0, 1]
    written.metadata[CacheMetadata.Field(rawValue: 900)] = []
    written.metadata[CacheMetadata.Field(rawValue: 1_024)] = Array(0...255)
    written.metadata[CacheMetadata.Field(rawValue: .max)] = [UInt8](repeating: 0xFF, count: 5_000)
    try await store.set(written, for: key("metadata"))
    try await expectEntry(written, for: key("metadata"))
    let bare = entry("value")
    try await store.set(bare, for: key("metadata"))
    try await expectEntry(bare, for: key("metadata"), "after the metadata was dropped")
  }

  func valueSizes() async throws {
    let sizes = [0, 1, 2, 79, 80, 81, 255, 256, 4_095, 4_096, 4_097, 32_768, 65_537, 1 << 20]
    for size in sizes {
      let written = entry((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) })
      try await store.set(written, for: key("size \(size)"))
      try await expectEntry(written, for: key("size \(size)"))
    }
    let largest = try await store.entry(for: key("size \(1 << 20)"))
    expect(largest?.payload?.count == 1 << 20, "1 MiB is gone after it was read")
  }

  func overwrite() async throws {
    var first = entry([UInt8](repeating: 1, count: 3_000), freshFor: 10, keptFor: 3_600)
    first.schema = 9
    first.isExpiredByHand = true
    first.metadata[.validator] = [1, 2, 3]
    let second = entry("short")
    let third = entry(nil as [UInt8]?)
    for written in [first, second, third, first] {
      try await store.set(written, for: key("overwrite"))
      try await expectEntry(written, for: key("overwrite"))
    }
  }

  func expiredIsReadable() async throws {
    let written = entry("old", freshFor: 1)
    try await store.set(written, for: key("old"))
    try await clock.advance(by: .seconds(100))
    try await expectEntry(written, for: key("old"), "99 s after it expired")
    try await store.removeExpired()
    try await expectEntry(written, for: key("old"), "after removeExpired")
  }
}
