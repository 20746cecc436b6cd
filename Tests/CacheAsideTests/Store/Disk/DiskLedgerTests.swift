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

  @Test func `beyond the bound of numbers only what carries a tag or a scope is lost (B318b)`() {
    var ledger = DiskLedger.fresh(admitsUnmarked: true)
    let before = ledger.mark
    for index in 0..<100 { add(&ledger, .anyOf([CacheAside.Tag("\(index)")])) }
    let folded = ledger.folded(to: 10, numbers: 40)
    #expect(folded.numbers.count == 30)
    #expect(folded.floor == 60)
    #expect(folded.judged(entry([], before), in: home) != nil)
    #expect(folded.judged(entry(["other"], before), in: home) == nil)
    #expect(folded.judged(entry([], before), in: north) == nil)
    let later = LoadMark(epoch: ledger.epoch, sequence: 61)
    #expect(folded.judged(entry(["other"], later), in: home) != nil)
    for index in 0..<100 {
      let tags = [CacheAside.Tag("\(index)")]
      #expect(folded.judged(entry(tags, before), in: home) == nil)
      #expect((folded.judged(entry(tags, later), in: home) == nil) == (index > 60))
    }
    #expect(folded.stamps(since: 0) == nil)
    #expect(folded.stamps(since: 95)?.map(\.sequence) == [96, 97, 98, 99, 100])
  }

  @Test func `the bytes of a ledger and of what was appended are read back`() throws {
    var ledger = DiskLedger.fresh(admitsUnmarked: true)
    add(&ledger, .allOf(["red", "e\u{301}"]))
    add(&ledger, .everything, .expire(at: -7, staleIfError: .max, keepExpired: 3), in: north)
    for index in 0..<5_000 { add(&ledger, .anyOf([CacheAside.Tag("\(index)")])) }
    ledger = ledger.folded(to: 100)
    ledger.raiseBase(to: 1)
    let whole = DiskLedgerFile.bytes(of: ledger)
    #expect(try DiskLedgerFile(whole).ledger == ledger)
    let stamps = DiskLedger.Stamp.stamps(of: StoreInvalidation(.remove, .anyOf(["x"]), in: home))
    let added = stamps.flatMap(DiskLedgerFile.bytes(of:))
    // Twice, as by a writer that was not sure.
    var ids: [UInt64] = []
    let file = try DiskLedgerFile(whole + added + added) { ids.append($0) }
    var grown = try DiskLedgerFile(whole)
    grown.read(added + added)
    ledger.add(stamps[0])
    #expect(file.ledger == ledger)
    #expect(grown.ledger == ledger)
    #expect(grown.end == file.end)
    #expect(file.head == grown.head)
    #expect(ids.contains(stamps[0].id))
    #expect(ledger.stamps.last?.invalidation?.selection == .allOf(["x"]))
  }

  /// The bytes of a ledger with stamps on these tags, each appended, and where each of them begins.
  private func appended(_ tags: [CacheAside.Tag]) -> (bytes: [UInt8], starts: [Int]) {
    var bytes = DiskLedgerFile.bytes(of: .fresh(admitsUnmarked: true))
    var starts: [Int] = []
    for tag in tags {
      starts.append(bytes.count)
      let stamps = DiskLedger.Stamp.stamps(of: StoreInvalidation(.remove, .anyOf([tag]), in: home))
      bytes += stamps.flatMap(DiskLedgerFile.bytes(of:))
    }
    return (bytes, starts + [bytes.count])
  }

  @Test func `a stamp that is cut off anywhere is not there yet, and no damage (B361)`() throws {
    let (bytes, starts) = appended(["red", "blue"])
    for count in starts[1]..<bytes.count {
      var file = try DiskLedgerFile(Array(bytes.prefix(count)))
      #expect(file.ledger.sequence == 1)
      #expect(file.end == starts[1])
      #expect(file.damages == 0)
      // Its writer goes on.
      file.read(Array(bytes[file.end...]))
      #expect(file.ledger.sequence == 2)
      #expect(file.end == bytes.count)
    }
  }

  @Test func `what is appended behind a stamp that was never ended is read (B361)`() throws {
    let (bytes, starts) = appended(["red", "blue", "green"])
    let green = Array(bytes[starts[2]...])
    for count in starts[1]..<starts[2] {
      let torn = Array(bytes.prefix(count))
      var grown = try DiskLedgerFile(torn)
      grown.read(Array((torn + green)[grown.end...]))
      for file in [grown, try DiskLedgerFile(torn + green)] {
        #expect(file.damages == 0)
        #expect(file.end == count + green.count)
        let none = LoadMark(epoch: file.ledger.epoch, sequence: 0)
        #expect(file.ledger.judged(entry(["red"], none), in: home) == nil)
        #expect(file.ledger.judged(entry(["green"], none), in: home) == nil)
        #expect(file.ledger.judged(entry(["blue"], none), in: home) != nil)
      }
    }
  }

  @Test func `a damaged stamp puts out what it may have reached, and nothing later (B361)`() throws
  {
    let (bytes, starts) = appended(["red", "blue", "green"])
    for (index, tag) in (["red", "blue", "green"] as [CacheAside.Tag]).enumerated() {
      for offset in starts[index]..<starts[index + 1] {
        var damaged = bytes
        damaged[offset] ^= 0x10
        if index == 2, offset < starts[2] + 8 {
          // Nobody knows how much it was.
          #expect(throws: DiskLedgerFile.Fault.self) { try DiskLedgerFile(damaged) }
          continue
        }
        let file = try DiskLedgerFile(damaged)
        #expect(file.damages == 1)
        #expect(file.ledger.sequence == 3)
        let epoch = file.ledger.epoch
        let (before, after) = (
          LoadMark(epoch: epoch, sequence: UInt64(index)),
          LoadMark(epoch: epoch, sequence: UInt64(index + 1))
        )
        #expect(file.ledger.judged(entry([tag], before), in: home) == nil)
        #expect(file.ledger.judged(entry(["x"], after), in: home) != nil)
        // Its first bytes say that it had a tag; without them, or without a stamp behind it, it may have
        // been anything.
        let isKnown = offset >= starts[index] + 8 && index < 2
        #expect((file.ledger.judged(entry([], before), in: home) != nil) == isKnown)
        #expect(file.ledger.stamps(since: 0) == nil)
        // It is the same after folding.
        let folded = try DiskLedgerFile(DiskLedgerFile.bytes(of: file.ledger.folded()))
        #expect(folded.ledger == file.ledger.folded())
        #expect(folded.damages == 0)
      }
    }
  }

  @Test func `half a stamp behind one that was never ended is not there yet (B361)`() throws {
    let (bytes, starts) = appended(["red", "blue", "green"])
    let green = Array(bytes[starts[2]...])
    for torn in 1..<starts[2] - starts[1] {
      let before = Array(bytes.prefix(starts[1] + torn))
      for count in 8..<green.count {
        var file = try DiskLedgerFile(before + green.prefix(count), isFinal: true)
        #expect(file.damages == 0 && !file.isBroken && file.ledger.sequence == 1)
        file.read(Array((before + green)[file.end...]))
        #expect(file.damages == 0 && file.ledger.sequence == 2)
      }
    }
  }

  @Test func `a damaged stamp on a whole feature puts out everything older`() throws {
    var bytes = DiskLedgerFile.bytes(of: .fresh(admitsUnmarked: true))
    let stamps = DiskLedger.Stamp.stamps(of: StoreInvalidation(.remove, .everything, in: home))
    let start = bytes.count
    bytes += DiskLedgerFile.bytes(of: stamps[0])
    bytes[start + 50] ^= 1
    let file = try DiskLedgerFile(bytes)
    #expect(file.ledger.judged(entry([], nil), in: home) == nil)
    #expect(file.ledger.judged(entry([], file.ledger.mark), in: home) != nil)
  }

  @Test func `what looks damaged at the end is read once more before it is`() throws {
    var (bytes, starts) = appended(["red"])
    let sound = bytes
    for index in starts[0] + 20..<bytes.count { bytes[index] = 0 }
    var file = try DiskLedgerFile(bytes, isFinal: false)
    #expect(file.isDoubtful)
    #expect(file.ledger.sequence == 0)
    file.read(Array(sound[file.end...]), isFinal: false)
    #expect(!file.isDoubtful)
    #expect(file.ledger.sequence == 1)
    #expect(file.damages == 0)
  }

  @Test func `however a damaged ledger is read, everybody counts the same`() throws {
    let (bytes, starts) = appended(["red", "blue", "green", "white"])
    var random = SplitMix(state: 3)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int(random.next() % 3) + 1 {
        damaged[starts[0] + Int(random.next() % UInt64(bytes.count - starts[0]))] ^= 1
      }
      let torn = Int(random.next() % 100)
      damaged.insert(contentsOf: bytes[starts[1]...].prefix(torn), at: starts[2])
      guard let whole = try? DiskLedgerFile(damaged) else { continue }
      var grown = try DiskLedgerFile(Array(damaged.prefix(starts[0])))
      var end = starts[0]
      while end < damaged.count, !grown.isBroken {
        end = min(damaged.count, end + 1 + Int(random.next() % 60))
        grown.read(Array(damaged[grown.end..<end]))
      }
      if grown.isBroken { continue }
      #expect(grown.ledger.sequence == whole.ledger.sequence)
      for sequence in 0..<whole.ledger.sequence {
        let mark = LoadMark(epoch: whole.ledger.epoch, sequence: sequence)
        for tags in [[], ["red"], ["blue"], ["green"], ["white"]] as [[CacheAside.Tag]]
        where whole.ledger.judged(entry(tags, mark), in: home) == nil {
          #expect(grown.ledger.judged(entry(tags, mark), in: home) == nil)
        }
      }
    }
  }

  @Test func `a damaged head is no ledger`() {
    let (bytes, starts) = appended(["red"])
    for offset in 0..<starts[0] {
      var damaged = bytes
      damaged[offset] ^= 0x10
      #expect(throws: DiskLedgerFile.Fault.self) { try DiskLedgerFile(damaged) }
      #expect(throws: DiskLedgerFile.Fault.self) {
        try DiskLedgerFile(Array(bytes.prefix(offset)))
      }
    }
  }

  @Test func `what has no room in a stamp reaches further`() throws {
    let many = (0..<20_000).map { CacheAside.Tag("tag-\($0)") }
    let long = CacheAside.Tag(String(repeating: "x", count: 100_000))
    for selection in [.allOf(many), .anyOf([long])] as [StoreInvalidation.Selection] {
      let stamps = DiskLedger.Stamp.stamps(of: StoreInvalidation(.remove, selection, in: home))
      var ledger = DiskLedger.fresh(admitsUnmarked: true)
      for stamp in stamps {
        let bytes = DiskLedgerFile.bytes(of: stamp.fitting)
        #expect(bytes.count <= DiskLedgerFile.mostStampBytes)
        ledger = try DiskLedgerFile(DiskLedgerFile.bytes(of: ledger) + bytes).ledger
      }
      let tags = selection == .allOf(many) ? many : [long]
      #expect(ledger.judged(entry(tags, nil), in: home) == nil)
      #expect((ledger.judged(entry(["red"], nil), in: home) != nil) == (tags.count > 1))
      #expect(ledger.judged(entry(["red"], nil), in: Namespace("other")) != nil)
    }
  }
}
