import Foundation

/// Keys drawn from Zipf's law with exponent 0.99, the same in every run.
struct Workload {
  static let shared = Workload()
  static let keyCount = 100_000

  let keys: [Int]
  /// 20 characters each, one for each integer key.
  let strings: [String]
  /// The drawn keys' places in ``keys``.
  let places: [Int]
  let draws: [Int]
  let stringDraws: [String]

  private init() {
    var random = SplitMix64(state: 7)
    let keys = (0..<Self.keyCount).map(Self.key)
    let strings = (0..<Self.keyCount).map(Self.string)
    var cumulative: [Double] = []
    var sum = 0.0
    for rank in 1...Self.keyCount {
      sum += 1 / pow(Double(rank), 0.99)
      cumulative.append(sum)
    }
    // Frequent keys are scattered over the tables.
    let shuffled = Array(0..<Self.keyCount).shuffled(using: &random)
    places = (0..<(1 << 20)).map { _ in
      let target = Double(random.next() >> 11) * 0x1p-53 * sum
      var low = 0
      var high = Self.keyCount - 1
      while low < high {
        let middle = (low + high) / 2
        if cumulative[middle] < target { low = middle + 1 } else { high = middle }
      }
      return shuffled[low]
    }
    draws = places.map { keys[$0] }
    stringDraws = places.map { strings[$0] }
    self.keys = keys
    self.strings = strings
  }

  /// The integer key of a number.
  static func key(_ number: Int) -> Int {
    Int(truncatingIfNeeded: UInt64(number) &* 0x9E37_79B9_7F4A_7C15 >> 8)
  }

  /// The 20 characters of a number.
  static func string(_ number: Int) -> String {
    let digits = String((UInt64(number) &* 0x9E37_79B9_7F4A_7C15) >> 4, radix: 16)
    return "user:" + String(repeating: "0", count: max(0, 15 - digits.count)) + digits
  }
}

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

/// Reads every drawn key and adds up what is found; the second of two threads begins in the middle.
@inline(__always)
func total<Key>(_ draws: [Key], from thread: Int = 0, _ read: (Key) throws -> Int?) rethrows -> Int
{
  var sum = 0
  let first = thread * (draws.count / 2)
  for key in draws[first...] { sum &+= try read(key) ?? 0 }
  for key in draws[..<first] { sum &+= try read(key) ?? 0 }
  return sum
}
