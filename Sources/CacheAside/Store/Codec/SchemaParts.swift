/// A type that the schema probe describes by its parts, since an empty one would not show them.
protocol SchemaParts {
  /// What it is made of.
  static var parts: [any Decodable.Type] { get }
  /// A value without any.
  static var empty: Self { get }
}

extension Optional: SchemaParts where Wrapped: Decodable {
  static var parts: [any Decodable.Type] { [Wrapped.self] }
  static var empty: Wrapped? { nil }
}

extension Array: SchemaParts where Element: Decodable {
  static var parts: [any Decodable.Type] { [Element.self] }
  static var empty: [Element] { [] }
}

extension ContiguousArray: SchemaParts where Element: Decodable {
  static var parts: [any Decodable.Type] { [Element.self] }
  static var empty: ContiguousArray<Element> { [] }
}

extension Set: SchemaParts where Element: Decodable {
  static var parts: [any Decodable.Type] { [Element.self] }
  static var empty: Set<Element> { [] }
}

extension Dictionary: SchemaParts where Key: Decodable, Value: Decodable {
  static var parts: [any Decodable.Type] { [Key.self, Value.self] }
  static var empty: [Key: Value] { [:] }
}
