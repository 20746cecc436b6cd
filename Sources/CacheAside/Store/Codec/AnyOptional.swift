/// Lets generic code ask whether its value is an optional, and build one.
protocol AnyOptional {
  /// What it wraps.
  associatedtype Wrapped

  /// The value that wraps nothing.
  static var absent: Self { get }

  /// What is wrapped.
  var wrapped: Wrapped? { get }

  /// The value that wraps something.
  static func present(_ wrapped: Wrapped) -> Self
}

extension AnyOptional {
  /// What it wraps, as a value.
  static var wrappedType: Any.Type { Wrapped.self }

  /// Whether it wraps nothing.
  var isAbsent: Bool { wrapped == nil }
}

extension Optional: AnyOptional {
  static var absent: Wrapped? { nil }
  var wrapped: Wrapped? { self }
  static func present(_ wrapped: Wrapped) -> Wrapped? { wrapped }
}
