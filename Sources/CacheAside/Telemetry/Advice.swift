/// What the advisor has to say about a setting.
public struct Advice: Hashable, Sendable, CustomStringConvertible {
  /// How bad it is.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The setting contradicts another and does nothing, or not what it says; refused when strict.
    case contradiction
    /// The setting does what it says, which may hurt.
    case risk
  }

  /// The setting, by its name in code.
  public let setting: String

  /// How bad it is.
  public let severity: Severity

  /// One sentence: what is wrong, and what to do.
  public let message: String

  init(_ setting: String, _ severity: Severity, _ message: String) {
    self.setting = setting
    self.severity = severity
    self.message = message
  }

  init(_ setting: String, _ message: String) { self.init(setting, .contradiction, message) }

  /// The setting and the sentence.
  public var description: String { "\(setting): \(message)" }
}
