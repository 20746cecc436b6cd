/// Why an expired value was returned.
public struct StaleReason: Hashable, Sendable, CustomStringConvertible {
  /// The reason's name.
  public let description: String

  init(_ name: String) { description = name }

  /// The call asked for any age.
  public static let anyAge = StaleReason("anyAge")
}
