/// Views of a value under another name of its own type, for generic code that has found out what it is.
///
/// A dynamic cast would look through optionals, so that `nil` inside an optional changes its depth.
enum SameType {
  /// The value, if the other type is its own.
  ///
  /// - Parameters:
  ///   - value: any value.
  ///   - type: a type.
  /// - Returns: the value as that type; `nil` when it is of another.
  static func view<Value, Other>(_ value: Value, as type: Other.Type) -> Other? {
    guard Value.self == Other.self else { return nil }
    return unsafe unsafeBitCast(value, to: Other.self)
  }
}
