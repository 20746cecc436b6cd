// What the testing product uses of Swift Testing; bodies are never run.
public struct SourceLocation: Sendable {
  public init(__uncheckedFileID f: String, filePath p: String, line l: Int, column c: Int) { fatalError() }
}
@freestanding(expression) public macro _sourceLocation() -> SourceLocation =
  #externalMacro(module: "TestingMacros", type: "SourceLocationMacro")
public struct Comment: Sendable, ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { fatalError() }
}
public struct Issue: Sendable {
  @discardableResult
  public static func record(_ c: Comment? = nil, sourceLocation l: SourceLocation = #_sourceLocation) -> Issue { fatalError() }
}
public protocol CustomTestStringConvertible { var testDescription: String { get } }
