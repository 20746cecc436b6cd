/// By how much a lifetime is shortened, so that entries stored together do not expire together.
///
/// The share comes from the key's digest and the seed: the same key has the same lifetime in every
/// process, and no lifetime is longer than was asked for.
public struct Jitter: Hashable, Sendable, CustomStringConvertible {
  /// The largest share, from 0 to 1.
  let share: Double
  let seed: UInt64

  /// Lifetimes as they were asked for.
  public static let none = Jitter(share: 0, seed: 0)

  /// Lifetimes shortened by a share of themselves.
  ///
  /// - Parameters:
  ///   - share: the largest share, from 0 to 1; other numbers count as the nearer of the two.
  ///   - seed: another seed deals the shares anew.
  /// - Returns: the jitter.
  public static func upTo(_ share: Double, seed: UInt64 = 0) -> Jitter {
    Jitter(share: share.isNaN ? 0 : min(1, max(0, share)), seed: seed)
  }

  /// A lifetime with its jitter; one that is positive stays so, and endless ones are left alone.
  ///
  /// - Parameters:
  ///   - lifetime: in nanoseconds.
  ///   - digest: the first bytes of the key's digest.
  /// - Returns: the shortened lifetime in nanoseconds.
  func applied(to lifetime: Int64, digest: UInt64) -> Int64 {
    guard share > 0, lifetime > 0, lifetime != .max else { return lifetime }
    // The digest is uniform already; the finalizer of SplitMix64 mixes the seed in.
    var word = digest &+ seed &* 0x9E37_79B9_7F4A_7C15
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    word ^= word >> 31
    let unit = Double(word >> 11) * 0x1p-53
    return max(1, lifetime - Int64(clamping: Double(lifetime) * share * unit))
  }

  /// The jitter as it is written in code.
  public var description: String {
    seed == 0 ? "upTo(\(share))" : "upTo(\(share), seed: \(seed))"
  }
}
