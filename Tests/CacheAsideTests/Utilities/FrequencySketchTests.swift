import Testing

@testable import CacheAside

@Suite struct FrequencySketchTests {
  @Test func `counts up to fifteen`() {
    var sketch = FrequencySketch(entries: 256)
    let hash = FoldedHash.spread(7)
    for expected in 1...15 {
      sketch.increment(hash)
      #expect(sketch.frequency(hash) == expected)
    }
    sketch.increment(hash)
    #expect(sketch.frequency(hash) == 15)
    #expect(sketch.frequency(FoldedHash.spread(8)) == 0)
  }

  @Test func `halves every counter after twenty increments an entry`() {
    var sketch = FrequencySketch(entries: 256)
    let hash = FoldedHash.spread(1)
    for _ in 0..<12 { sketch.increment(hash) }
    var other: UInt64 = 1000
    // Fewer than a period: nothing is forgotten.
    for _ in 0..<(20 * 256 - 13) {
      sketch.increment(FoldedHash.spread(other))
      other += 1
    }
    #expect(sketch.frequency(hash) >= 12)
    // Counters are full by now, so several keys are needed until one increment counts.
    for _ in 0..<2000 {
      sketch.increment(FoldedHash.spread(other))
      other += 1
    }
    #expect(sketch.frequency(hash) < 12)
  }

  @Test func `never counts less than the truth within a period`() {
    var sketch = FrequencySketch(entries: 1024)
    var truth: [UInt64: Int] = [:]
    var random = SplitMix(state: 3)
    for _ in 0..<10_000 {
      let key = random.next() % 3000
      truth[key, default: 0] += 1
      sketch.increment(FoldedHash.spread(key))
    }
    for (key, count) in truth {
      #expect(sketch.frequency(FoldedHash.spread(key)) >= min(count, 15))
    }
  }

  @Test func `keeps what was counted when it grows`() {
    var sketch = FrequencySketch(entries: 256)
    for key in UInt64(0)..<200 {
      for _ in 0..<Int(key % 5) { sketch.increment(FoldedHash.spread(key)) }
    }
    let before = (UInt64(0)..<200).map { sketch.frequency(FoldedHash.spread($0)) }
    sketch.grow(entries: 5000)
    #expect((UInt64(0)..<200).map { sketch.frequency(FoldedHash.spread($0)) } == before)
    #expect(sketch.entries == 5000)
  }
}
