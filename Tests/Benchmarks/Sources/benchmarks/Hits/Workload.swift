#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Keys drawn from Zipf's law, the same in every run.
struct Workload {
  static let keyCount = 100_000
  let keys: [Int]
  let draws: [Int]

  init() {
    var random = SplitMix64(state: 7)
    keys = (0..<Self.keyCount).map {
      Int(truncatingIfNeeded: UInt64($0) &* 0x9E37_79B9_7F4A_7C15 >> 8)
    }
    var cumulative: [Double] = []
    var sum = 0.0
    for rank in 1...Self.keyCount {
      sum += 1 / pow(Double(rank), 0.99)
      cumulative.append(sum)
    }
    let shuffled = keys.shuffled(using: &random)
    draws = (0..<(1 << 20)).map { _ in
      let target = Double(random.next() >> 11) * 0x1p-53 * sum
      var low = 0
      var high = Self.keyCount - 1
      while low < high {
        let middle = (low + high) / 2
        if cumulative[middle] < target { low = middle + 1 } else { high = middle }
      }
      return shuffled[low]
    }
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
