import Testing

@testable import CacheAside

@Suite struct DiskLedgerTests {
  let home = Namespace("feature")
  var north: Namespace { home.scoped(["tenant": "north"]) }

  private func entry(_ tags: [CacheAside.Tag], _ mark: LoadMark?) -> CacheEntry {
    var entry = CacheEntry(
      payload: [1],
      codec: .raw,
      type: 1,
      created: 1_000,
      freshUntil: 100_000_000,
      keptUntil: 200_000_000
    )
    entry.metadata.tags = tags
    entry.metadata.staleIfErrorEnd = 200_000_000
    entry.metadata.loadMark = mark
    return entry
  }

  private func add(
    _ ledger: inout DiskLedger,
    _ selection: StoreInvalidation.Selection,
    _ verb: StoreInvalidation.Verb = .remove,
    in namespace: Namespace? = nil
  ) {
    let invalidation = StoreInvalidation(verb, selection, in: namespace ?? home)
    for stamp in DiskLedger.Stamp.stamps(of: invalidation) { ledger.add(stamp) }
  }

  @Test func `a stamp reaches what carries its tag and began before`() {
    var ledger = DiskLedger.fresh(admitsUnmarked: true)
    let before = ledger.mark
    add(&ledger, .anyOf(["red"]))
    let after = ledger.mark
    #expect(after.sequence == 1)
    #expect(ledger.judged(entry(["red"], before), in: home) == nil)
    #expect(ledger.judged(entry(["red"], nil), in: home) == nil)
    #expect(ledger.judged(entry(["red"], before), in: north) == nil)
    #expect(ledger.judged(entry(["red"], after), in: home) != nil)
    #expect(ledger.judged(entry(["blue"], before), in: home) != nil)
    #expect(ledger.judged(entry(["red"], before), in: Namespace("feature2")) != nil)
    #expect(ledger.judged(entry(["red"], before), in: nil) != nil)
  }

  @Test func `a stamp on several tags reaches what carries them all`() {
    var ledger = DiskLedger.fresh(admitsUnmarked: true)
    let before = ledger.mark
    add(&ledger, .allOf(["red", "blue"]))
    #expect(ledger.judged(entry(["blue", "red", "x"], before), in: home) == nil)
    #expect(ledger.judged(entry(["red"], before), in: home) != nil)
    // What finds no room reaches further, never less.
    for index in 0..<100 {
      add(&ledger, .allOf([CacheAside.Tag("a\(index)"), CacheAside.Tag("b\(index)")]))
    }
    for index in 0..<100 {
      let tags = [CacheAside.Tag("a\(index)"), CacheAside.Tag("b\(index)")]
      #expect(ledger.judged(entry(tags, before), in: home) == nil)
    }
  }

  @Test func `a stamp on a namespace covers its scopes, one on a scope no other`() {
    var ledger = DiskLedger.fresh(admitsUnmarked: true)
    let before = ledger.mark
    add(&ledger, .everything, in: north)
    #expect(ledger.judged(entry([], before), in: north) == nil)
    #expect(ledger.judged(entry([], before), in: home) != nil)
    add(&ledger, .everything)
    #expect(ledger.judged(entry([], before), in: home) == nil)
    #expect(ledger.judged(entry([], before), in: home.scoped(["tenant": "south"])) == nil)
  }

  @Test func `what another epoch or nobody marked is out`() {
    let ledger = DiskLedger.fresh(admitsUnmarked: false)
    #expect(ledger.judged(entry([], nil), in: home) == nil)
    #expect(ledger.judged(entry([], LoadMark(epoch: 5, sequence: .max)), in: home) == nil)
    #expect(ledger.judged(entry([], ledger.mark), in: home) != nil)
    #expect(DiskLedger.fresh(admitsUnmarked: true).judged(entry([], nil), in: home) != nil)
  }

  @Test func `the first expiry decides, and none after it prolongs anything`() {
    var ledger = DiskLedger.fresh(admitsUnmarked: true)
    let before = ledger.mark
    let tenth: Int64 = 100_000
    for moment in 1...20 {
      add(
        &ledger,
        .anyOf(["red"]),
        .expire(at: Int64(moment) * tenth, staleIfError: 5_000_000_000, keepExpired: 0)
      )
    }
    let expired = ledger.judged(entry(["red"], before), in: home)
    #expect(expired?.isExpiredByHand == true)
    #expect(expired?.freshUntil == tenth)
    #expect(expired?.keptUntil == 51 * tenth)
    #expect(expired?.metadata.staleIfErrorEnd == 51 * tenth)
    add(&ledger, .anyOf(["red"]))
    #expect(ledger.judged(entry(["red"], before), in: home) == nil)
  }

  @Test func `a ledger that is folded loses entries, never an invalidation`() {
    var ledger = DiskLedger.fresh(admitsUnmarked: true)
    let before = ledger.mark
    for index in 0..<100 { add(&ledger, .anyOf([CacheAside.Tag("\(index)")])) }
    add(&ledger, .everything, in: Namespace("other"))
    let folded = ledger.folded(to: 20)
    #expect(folded.stamps.count == 20)
    #expect(folded.mark == ledger.mark)
    for index in 0..<100 {
      #expect(folded.judged(entry([CacheAside.Tag("\(index)")], before), in: home) == nil)
      #expect(folded.judged(entry([CacheAside.Tag("\(index)")], ledger.mark), in: home) != nil)
    }
    #expect(folded.judged(entry([], before), in: Namespace("other")) == nil)
    #expect(folded.judged(entry([], before), in: home) != nil)
  }

  @Test func `the bytes of a ledger and of what was appended are read back`() throws {
    var ledger = DiskLedger.fresh(admitsUnmarked: true)
    add(&ledger, .allOf(["red", "e\u{301}"]))
    add(&ledger, .everything, .expire(at: -7, staleIfError: .max, keepExpired: 3), in: north)
    let whole = DiskLedgerFile(ledger).bytes
    #expect(try DiskLedgerFile(whole).ledger == ledger)
    let stamps = DiskLedger.Stamp.stamps(of: StoreInvalidation(.remove, .anyOf(["x"]), in: home))
    let added = stamps.flatMap(DiskLedgerFile.bytes(of:))
    // Twice, as by a writer that was not sure.
    let file = try DiskLedgerFile(whole + added + added)
    ledger.add(stamps[0])
    #expect(file.ledger == ledger)
    #expect(file.ids.contains(stamps[0].id))
    #expect(ledger.stamps.last?.invalidation?.selection == .allOf(["x"]))
  }

  @Test func `damaged bytes are no ledger, and those cut off are torn`() {
    var ledger = DiskLedger.fresh(admitsUnmarked: true)
    add(&ledger, .anyOf(["red"]))
    let bytes = DiskLedgerFile(ledger).bytes
    for offset in bytes.indices {
      var damaged = bytes
      damaged[offset] ^= 0x10
      #expect(throws: DiskLedgerFile.Fault.self) { try DiskLedgerFile(damaged) }
    }
    for count in 0..<bytes.count where count != 48 {
      let fault = #expect(throws: DiskLedgerFile.Fault.self) {
        try DiskLedgerFile(Array(bytes.prefix(count)))
      }
      #expect(count < 48 || fault == .torn)
    }
  }
}
