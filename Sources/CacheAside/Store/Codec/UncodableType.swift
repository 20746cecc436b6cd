/// A type has no coding where it is asked for one: it is not `Codable`, or only on the main actor.
struct UncodableType: Error, CustomStringConvertible {
  let type: Any.Type

  init(_ type: Any.Type) { self.type = (type as? any AnyOptional.Type)?.wrappedType ?? type }

  var description: String {
    "\(type) is not Codable, or only on the main actor; declare it `nonisolated struct "
      + "\(type): Codable`, or give the cache a codec of your own with `codec:`"
  }

  /// Whether values of a type can be encoded here.
  ///
  /// The runtime says of a value whether its conformance is one of this actor, and of a type only
  /// whether it has any: so an empty list of the type is asked.
  @inline(never)
  static func canEncode<Some>(_ type: Some.Type) -> Bool { ([Some]() as Any) is any Encodable }

  /// Whether values of a type can be decoded here.
  @inline(never)
  static func canDecode<Some>(_ type: Some.Type) -> Bool { ([Some]() as Any) is any Decodable }
}
