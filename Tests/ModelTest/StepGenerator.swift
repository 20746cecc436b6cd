import Synchronization

/// A seeded random sequence.
///
/// Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

/// Draws steps.
struct StepGenerator {
  private var random: SplitMix
  private let setup: Setup

  init(seed: UInt64, setup: Setup) {
    random = SplitMix(seed: seed)
    self.setup = setup
  }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func one<Element>(_ elements: [Element]) -> Element {
    elements[number(elements.count)]
  }

  private mutating func place() -> Place {
    // Mostly without a scope, so that keys meet.
    Place(key: number(Place.keys), scope: number(3) > 0 ? 0 : number(Place.scopes))
  }

  /// Seconds; zero never ends.
  private mutating func ttl() -> Int { one([0, 0, 1, 2, 5, 30]) }

  private mutating func tags() -> [Int] {
    switch number(4) {
    case 0: [number(3)]
    case 1: [number(3), 3 + number(2)]
    default: []
    }
  }

  private mutating func selection() -> Selection {
    switch number(12) {
    case 0...3: .tag(number(5))
    case 4...5: .anyOf(number(3), 3 + number(2))
    case 6...7: .allOf(number(3), 3 + number(2))
    case 8...9: .scope(1 + number(Place.scopes - 1))
    case 10: .keysBelow(number(Place.keys))
    default: .everything
    }
  }

  /// How many failed removals a tier keeps apart, or fewer.
  static let keptApart = 1_000

  /// How many tags are removed one by one; now and then more than a tier keeps apart of those that have
  /// failed, since queued ones have no such bound.
  private mutating func tagCount() -> Int {
    let count = number(120)
    return setup.tiers == [.slow] && count >= 100 ? 12 * count : count
  }

  /// A whole sequence.
  mutating func sequence(count: Int) -> [Step] { (0..<count).map { _ in next() } }

  private mutating func next() -> Step {
    switch number(100) {
    case 0..<20: return .read(one(ReadForm.allCases), place())
    case 20..<25: return .readMany((0...number(5)).map { _ in place() })
    case 25..<27: return .list(scope: number(Place.scopes))
    case 27..<42: return .load(one(LoadForm.allCases), place(), ttl: ttl(), tags: tags())
    case 42..<45:
      let keys = (0...number(4)).map { _ in number(Place.cacheKeys) }
      return .loadMany(keys, scope: number(2), ttl: ttl())
    case 45..<49: return .begin(place(), ttl: ttl(), tags: tags())
    case 49..<54: return .finish(number(4))
    case 54..<66: return .write(one(WriteForm.allCases), place(), ttl: ttl(), tags: tags())
    case 66..<72: return .remove(one(RemoveForm.allCases), place())
    case 72..<74: return .expire(place())
    case 74..<79: return .invalidate(selection(), blocking: number(2) == 0)
    case 79..<81: return .expireMany(selection())
    case 81: return number(3) == 0 ? .removeManyTags(tagCount()) : .removeExpired
    case 82..<84: return .dropMemory
    case 84..<89: return .advance(quarters: number(20))
    case 89: return .flush
    case 90..<92: return .reopen(poke: number(2) == 0 ? place() : nil)
    case 92..<94: return .hold
    case 94..<96: return .release
    case 96: return .fault(number(3))
    case 97..<99: return .heal
    default: return .switchInstance
    }
  }
}
