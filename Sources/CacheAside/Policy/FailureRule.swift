/// Which errors of a producer count as failures, for which a stale value may be served.
///
/// A cancellation never counts, whatever the rule says. Two rules are equal when they are copies of
/// one.
public struct FailureRule: Hashable, Sendable {
  private final class Body: Sendable {
    let counts: @Sendable (any Error) -> Bool
    init(_ counts: @escaping @Sendable (any Error) -> Bool) { self.counts = counts }
  }

  private let body: Body

  /// Makes a rule.
  ///
  /// - Parameter counts: says whether an error is a failure; called outside all locks.
  public init(_ counts: @escaping @Sendable (any Error) -> Bool) { body = Body(counts) }

  /// Every error is a failure.
  public static let all = FailureRule { _ in true }

  func counts(_ error: any Error) -> Bool { !(error is CancellationError) && body.counts(error) }

  /// Whether two are copies of one rule.
  ///
  /// - Parameters:
  ///   - lhs: one.
  ///   - rhs: the other.
  /// - Returns: whether they are.
  public static func == (lhs: FailureRule, rhs: FailureRule) -> Bool { lhs.body === rhs.body }

  /// Feeds the rule's identity into a hasher.
  ///
  /// - Parameter hasher: where to.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(body)) }
}
