import CacheAsideTesting
import Foundation
import Testing

@testable import CacheAside

/// What becomes of values that a store cannot keep as they are.
@Suite(.timeLimit(.minutes(60)))
struct EncodingTests {
  /// Loses its second property.
  private struct Lossy: Codable, Equatable, Sendable {
    var kept: Int
    var lost: Int
    private enum CodingKeys: CodingKey { case kept }
    init(kept: Int, lost: Int) { (self.kept, self.lost) = (kept, lost) }
    init(from decoder: any Decoder) throws {
      kept = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .kept)
      lost = 0
    }
  }

  private struct Refused: Error {}

  /// Encodes what it cannot decode, or cannot encode at all.
  private static func codec(
    encodes: Bool,
    decodes: Bool = false,
    decoded: Counter? = nil
  ) -> Codec<Int> {
    Codec(
      identifier: CodecIdentifier(rawValue: 300),
      encode: { value in
        if !encodes { throw Refused() }
        return Array("\(value)".utf8)
      },
      decode: { bytes in
        decoded?.add()
        guard decodes, let value = Int(String(decoding: bytes, as: UTF8.self)) else {
          throw Refused()
        }
        return value
      }
    )
  }

  private func kinds(_ events: EventRecorder<CacheEvent>) -> [CacheEvent.Kind] {
    events.events.map(\.kind)
  }

  @Test func `a value that does not come back equal is not stored, with an event (B236)`()
    async throws
  {
    let fixture = try CacheFixture(.memoryAndDisk)
    let cache = try fixture.open(Lossy.self)
    let events = EventRecorder<CacheEvent>()
    cache.observe(EventObserver(events))
    let value = Lossy(kept: 1, lost: 2)
    #expect(try await cache.cached("k") { value } == value)
    #expect(try await cache.cached("k") { Lossy(kept: 3, lost: 3) } == value)
    #expect(kinds(events) == [.encodeFailed])
    #expect(try await fixture.record("k") == nil)
    #expect(cache.statistics.encodeFailures == 1)

    // A codec of one's own that cuts, and the second write of a table.
    let cut = Codec<String>(
      identifier: CodecIdentifier(rawValue: 301),
      encode: { Array($0.utf8.prefix(4)) },
      decode: { String(decoding: $0, as: UTF8.self) }
    )
    let texts = try fixture.open(String.self, codec: cut)
    try await texts.set("four", for: "a")
    try await texts.set("fifth", for: "b")
    #expect(try await fixture.record("a") != nil)
    #expect(try await fixture.record("b") == nil)
    #expect(texts.peek("b") == "fifth")
  }

  @Test func `what differs from itself is stored (B236)`() async throws {
    let fixture = try CacheFixture(.disk)
    try await fixture.open(Double.self).set(.nan, for: "k")
    #expect(try await fixture.open(Double.self).value(for: "k")?.isNaN == true)
  }

  @Test func `the look at what comes back is taken at a few writes only (B236)`() async throws {
    for writes in [100, 1_000] {
      let decoded = Counter()
      let cache = try Cache<Int, Int>(
        name: "numbers",
        codec: Self.codec(encodes: true, decodes: true, decoded: decoded)
      ) {
        Store(PlainStore())
      }
      for number in 0..<writes { try await cache.set(number, for: number) }
      #expect(decoded.count == (writes == 100 ? 7 : 10))
    }
  }

  @Test func `under the fault policy fail every write that stores nothing throws (B367)`()
    async throws
  {
    let folder = try TemporaryFolder()
    for codec in [Self.codec(encodes: false), Self.codec(encodes: true)] {
      let cache = try Cache<Int, Int>(name: "numbers", codec: codec) {
        Memory()
        Disk(location: .directory(folder.path, isPermanent: true), faultPolicy: .fail)
      }
      func expectFailure(_ body: () async throws -> Void) async {
        let error = await #expect(throws: CacheError.self) { try await body() }
        #expect(error?.code == .storeFailed && error?.cause is Refused)
      }
      await expectFailure { try await cache.set(1, for: 1) }
      await expectFailure { try cache.setBlocking(2, for: 1) }
      await expectFailure { _ = try await cache.cached(1) { 3 } }
      await expectFailure { try await cache.update(1) { $0 = 4 } }
      #expect(cache.peek(1) == nil)
      #expect(try await cache.value(for: 1) == nil)
      let events = EventRecorder<CacheEvent>()
      cache.observe(EventObserver(events))
      cache[1] = 5
      #expect(kinds(events) == [.encodeFailed, .writeFailed])
      #expect(cache[1] == nil)
      #expect(cache.statistics.encodeFailures == 5)
    }
  }

  @Test func `under the fault policy fail a batch throws what cannot be encoded (B367)`()
    async throws
  {
    struct Opaque: Sendable { var id: Int }
    let caches = try Caches {
      Feature("numbers") {
        Memory()
        Store(PlainStore(), faultPolicy: .fail)
      }
    }
    let fetch = try caches["numbers"].cachedBatch(key: { "n/\($0)" }) { (ids: [Int]) in
      Dictionary(uniqueKeysWithValues: ids.map { ($0, Opaque(id: $0)) })
    }
    let error = await #expect(throws: CacheError.self) { _ = try await fetch([1, 2]) }
    #expect(error?.code == .storeFailed)
  }

  @Test func `under the fault policy fail a record that cannot be decoded throws (B367)`()
    async throws
  {
    let store = PlainStore()
    func open(_ policy: TierFaultPolicy, decodes: Bool) throws -> Cache<Int, Int> {
      try Cache(name: "numbers", codec: Self.codec(encodes: true, decodes: decodes)) {
        Store(store, faultPolicy: policy)
      }
    }
    try await open(.miss, decodes: true).set(1, for: 1)
    let cache = try open(.fail, decodes: false)
    let error = await #expect(throws: CacheError.self) { _ = try await cache.cached(1) { 2 } }
    #expect(error?.code == .storeFailed && error?.cause is Refused)
    // The record is gone, as ever.
    #expect(try await cache.value(for: 1) == nil)
    try await open(.miss, decodes: true).set(1, for: 1)
    #expect(try await open(.miss, decodes: false).cached(1) { 2 } == 2)
  }

  @Test func `under the fault policy fail a value above the limit throws (B367)`() async throws {
    let folder = try TemporaryFolder()
    func open(_ policy: TierFaultPolicy) throws -> Cache<Int, [UInt8]> {
      try Cache(name: "bytes") {
        Disk(
          limit: .bytes(10_000),
          location: .directory(folder.path),
          faultPolicy: policy
        )
      }
    }
    let large = [UInt8](repeating: 1, count: 20_000)
    let cache = try open(.fail)
    try await cache.set([1], for: 1)
    let set = await #expect(throws: CacheError.self) { try await cache.set(large, for: 1) }
    #expect(set?.code == .storeFailed)
    #expect(try await cache.value(for: 1) == nil)
    #expect(throws: CacheError.self) { try cache.setBlocking(large, for: 2) }
    await #expect(throws: CacheError.self) { _ = try await cache.cached(3) { large } }
    await #expect(throws: CacheError.self) { try await cache.update(4) { $0 = large } }
    try await cache.set([2], for: 2)
    #expect(try await cache.value(for: 2) == [2])
    // Otherwise it is an event.
    try await open(.miss).set(large, for: 5)
  }

  private struct Opaque: Sendable { var number = 1 }

  @Test func `a type without a coding is advised on once, where there is a store (B366)`()
    async throws
  {
    let caches = try Caches {
      Feature("kept") {
        Memory()
        Store(PlainStore())
      }
      Feature("memory") { Memory() }
    }
    let events = EventRecorder<CacheEvent>()
    try caches["kept"].observe(EventObserver(events))
    let quiet = EventRecorder<CacheEvent>()
    try caches["memory"].observe(EventObserver(quiet))
    for number in 1...3 {
      let one = try caches["kept"].cached("one") { (id: Int) in Opaque(number: id) }
      let two = try caches["kept"].cached("two") { (id: Int) -> Opaque? in Opaque(number: id) }
      _ = try await one(number)
      _ = try await two(number)
      let other = try caches["memory"].cached("one") { (id: Int) in Opaque(number: id) }
      _ = try await other(number)
    }
    let advices = events.events.filter { $0.kind == .advice && "\($0)".contains("codec") }
    #expect(advices.count == 1)
    #expect(kinds(events).filter { $0 == .encodeFailed }.count == 6)
    let advice = try #require(advices.first)
    #expect(advice.feature == "kept")
    for part in ["Opaque", "nonisolated struct Opaque: Codable", "codec:"] {
      #expect(advice.description.contains(part))
    }
    #expect(quiet.events.isEmpty)
  }

  @Test func `when strict, a call whose value has no coding throws (B366)`() async throws {
    let caches = try Caches(strict: true) {
      Feature("kept") {
        Memory()
        Store(PlainStore())
      }
      Feature("memory") { Memory() }
    }
    let fetch = try caches["kept"].cached("one") { (id: Int) in Opaque(number: id) }
    let error = await #expect(throws: CacheError.self) { _ = try await fetch(1) }
    #expect(error?.code == .unsupportedType)
    #expect(error?.message.contains("nonisolated struct Opaque: Codable") == true)
    let table = try caches["kept"].cache(Int.self, Opaque.self)
    await #expect(throws: CacheError.self) { try await table.set(Opaque(), for: 1) }
    #expect(throws: CacheError.self) { try table.setBlocking(Opaque(), for: 1) }
    let memory = try caches["memory"].cached("one") { (id: Int) in Opaque(number: id) }
    #expect(try await memory(1).number == 1)
    let own = try Cache<Int, Opaque>(name: "own", strict: true) { Store(PlainStore()) }
    await #expect(throws: CacheError.self) { try await own.set(Opaque(), for: 1) }
  }
}
