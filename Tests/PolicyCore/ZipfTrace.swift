#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Requests drawn from Zipf's law with the exponent 0.99, the same in every run.
///
/// Used by the tests of the policy's core and by the benchmarks of the store.
struct ZipfTrace {
  /// The ranks that are asked for, the most popular being zero.
  let requests: [Int]

  /// Draws a trace.
  ///
  /// - Parameters:
  ///   - keys: how many keys there are.
  ///   - count: how many requests.
  ///   - seed: what the draws depend on.
  init(keys: Int, count: Int, seed: UInt64) {
    var sum = 0.0
    let cumulative = (1...keys).map { rank in
      sum += 1 / pow(Double(rank), 0.99)
      return sum
    }
    var state = seed
    requests = (0..<count).map { _ in
      // The generator is splitmix64.
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      word ^= word >> 31
      let target = Double(word >> 11) * 0x1p-53 * sum
      var (low, high) = (0, keys - 1)
      while low < high {
        let middle = (low + high) / 2
        if cumulative[middle] < target { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }
}
