/// A type of the standard library that is described by its parts.
protocol SchemaParts {
  /// What it is made of.
  static var parts: [Any.Type] { get }
}

extension Optional: SchemaParts {
  static var parts: [Any.Type] { [Wrapped.self] }
}

extension Array: SchemaParts {
  static var parts: [Any.Type] { [Element.self] }
}

extension ArraySlice: SchemaParts {
  static var parts: [Any.Type] { [Element.self] }
}

extension ContiguousArray: SchemaParts {
  static var parts: [Any.Type] { [Element.self] }
}

extension CollectionOfOne: SchemaParts {
  static var parts: [Any.Type] { [Element.self] }
}

extension Set: SchemaParts {
  static var parts: [Any.Type] { [Element.self] }
}

extension Dictionary: SchemaParts {
  static var parts: [Any.Type] { [Key.self, Value.self] }
}

extension Range: SchemaParts {
  static var parts: [Any.Type] { [Bound.self] }
}

extension ClosedRange: SchemaParts {
  static var parts: [Any.Type] { [Bound.self] }
}

extension PartialRangeFrom: SchemaParts {
  static var parts: [Any.Type] { [Bound.self] }
}

extension PartialRangeThrough: SchemaParts {
  static var parts: [Any.Type] { [Bound.self] }
}

extension PartialRangeUpTo: SchemaParts {
  static var parts: [Any.Type] { [Bound.self] }
}
