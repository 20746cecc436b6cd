// Which type a record holds: a digest of the type's name.
//
// What: XXH64 of the qualified name (`Module.Outer.Inner<Swift.Int>`), one `Optional` stripped, so
// that a function returning `User?` and one returning `User` share records. Invariants: the same in
// every process and build that spell the type the same; never the metatype's address or hash.
// The runtime names the context of private and local types by an address, which differs between
// processes; it is left out, so private types of one module with the same name share an identity and
// are told apart by their schema fingerprints. Foundation's types have one name on all platforms.
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
  static func name(of type: Any.Type) -> String {
    spelling(of: (type as? any AnyOptional.Type)?.wrappedType ?? type)
  }

  /// The qualified name of a type as it is, the same in every process.
  static func spelling(of type: Any.Type) -> String {
    var rest = String(reflecting: type)[...]
    var name = ""
    while let start = rest.firstRange(of: "(unknown context at $") {
      name += rest[..<start.lowerBound]
      rest = rest[start.upperBound...].drop { $0 != ")" }.dropFirst()
      name += "(private)"
    }
    return (name + rest).replacing("FoundationEssentials.", with: "Foundation.")
  }
}
