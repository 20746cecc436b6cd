/// A value whose encoded form does not give it back.
struct LossyValue: Error, CustomStringConvertible {
  private let type: Any.Type

  init(_ type: Any.Type) { self.type = type }

  var description: String {
    "what is decoded is not equal to the \(type) that was encoded; mend how the type is coded, or give "
      + "the cache a codec"
  }
}
