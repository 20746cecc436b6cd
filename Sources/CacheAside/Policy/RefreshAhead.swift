// When a fresh value is loaded again. The probabilistic way is XFetch: A. Vattani, F. Chierichetti,
// K. Lowenstein, "Optimal Probabilistic Cache Stampede Prevention", VLDB 2015.

/// When a value that is still fresh is loaded again in the background.
///
/// The reader that triggers it gets the fresh value at once, and its cancellation does not stop the
/// load.
public struct RefreshAhead: Hashable, Sendable, CustomStringConvertible {
  enum Kind: Hashable, Sendable {
    case never
    case fraction(Double)
    case probabilistic(beta: Double)
  }

  let kind: Kind

  /// Never before its end of freshness.
  public static let never = RefreshAhead(kind: .never)

  /// By the first read after a part of the lifetime.
  ///
  /// - Parameter fraction: the part, from 0 to 1; one is the same as ``never``.
  /// - Returns: the rule.
  public static func fraction(_ fraction: Double) -> RefreshAhead {
    guard fraction >= 0, fraction < 1 else { return .never }
    return RefreshAhead(kind: .fraction(fraction))
  }

  /// By chance, the more likely the nearer the end and the longer the last load took, so that many
  /// processes do not load at once.
  ///
  /// - Parameter beta: larger than one loads earlier, smaller later; zero or less never.
  /// - Returns: the rule.
  public static func probabilistic(beta: Double = 1) -> RefreshAhead {
    guard beta > 0, beta.isFinite else { return .never }
    return RefreshAhead(kind: .probabilistic(beta: beta))
  }

  /// Whether the load time has to be known.
  var needsLoadTime: Bool { if case .probabilistic = kind { true } else { false } }

  /// The first moment at which a read may refresh a value; `nil` when none may.
  ///
  /// - Parameters:
  ///   - storedAt: when it was stored, in nanoseconds.
  ///   - deadline: when it stops being fresh.
  ///   - loadTime: how long its load took.
  /// - Returns: the moment, not before it was stored.
  func attention(storedAt: Int64, deadline: Int64, loadTime: Int64) -> Int64? {
    guard deadline != .max, deadline > storedAt else { return nil }
    let life = Double(deadline &- storedAt)
    switch kind {
    case .never:
      return nil
    case .fraction(let fraction):
      return storedAt &+ Int64(clamping: life * fraction)
    case .probabilistic(let beta):
      // Earlier than this the chance is below 1 in 400 million.
      let gap = min(life, Double(max(0, loadTime)) * beta * 20)
      return gap >= 1 ? max(storedAt, deadline &- Int64(clamping: gap)) : nil
    }
  }

  /// Whether a read at a moment refreshes the value.
  ///
  /// - Parameters:
  ///   - now: the moment.
  ///   - storedAt: when the value was stored.
  ///   - deadline: when it stops being fresh.
  ///   - loadTime: how long its load took.
  ///   - random: 64 random bits.
  /// - Returns: whether it does.
  func isDue(
    now: Int64,
    storedAt: Int64,
    deadline: Int64,
    loadTime: Int64,
    random: () -> UInt64
  ) -> Bool {
    guard
      let attention = attention(storedAt: storedAt, deadline: deadline, loadTime: loadTime),
      now >= attention
    else { return false }
    guard case .probabilistic(let beta) = kind else { return true }
    let unit = (Double(random() >> 11) + 0.5) * 0x1p-53
    return Double(now) - Double(loadTime) * beta * Logarithm.natural(unit) >= Double(deadline)
  }

  /// The rule as it is written in code.
  public var description: String {
    switch kind {
    case .never: "never"
    case .fraction(let fraction): "fraction(\(fraction))"
    case .probabilistic(let beta): "probabilistic(beta: \(beta))"
    }
  }
}
