// Which type a record holds: a digest of the type's name.
//
// What: XXH64 of the qualified name (`Module.Outer.Inner<Swift.Int>`), one `Optional` stripped, so
// that a function returning `User?` and one returning `User` share records. Invariants: the same in
// every process and build that spell the type the same; never the metatype's address or hash.
// The runtime names the context of private and local types by an address, which differs between
// processes; it is left out of the name, so that records outlive the build. What tells private types
// of one module with the same name apart is their origin, which such a record carries besides.
// Called by the loading engine, once per table.
package enum TypeIdentity {
  /// The identity of a type.
  ///
  /// - Parameter type: any type.
  /// - Returns: the digest for a record's type field.
  package static func of(_ type: Any.Type) -> UInt64 {
    Checksum.of(Array(name(of: type).utf8))
  }

  /// The name behind the identity.
  static func name(of type: Any.Type) -> String { parts(of: type).name }

  /// Where the private contexts in a type's name are declared; `nil` when it has none.
  static func origin(of type: Any.Type) -> TypeOrigin? {
    let places = parts(of: type).contexts.compactMap(ImagePlace.init)
    return places.isEmpty ? nil : TypeOrigin(places)
  }

  private static func parts(of type: Any.Type) -> (name: String, contexts: [UInt]) {
    let stripped = (type as? any AnyOptional.Type)?.wrappedType ?? type
    var rest = String(reflecting: stripped)[...]
    var name = ""
    var contexts: [UInt] = []
    while let start = rest.firstRange(of: "(unknown context at $") {
      name += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      let address = rest.prefix { $0 != ")" }
      if let address = UInt(address, radix: 16) { contexts.append(address) }
      rest = rest[address.endIndex...].dropFirst()
      name += "(private)"
    }
    return (name + rest, contexts)
  }
}
