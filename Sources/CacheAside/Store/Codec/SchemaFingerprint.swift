// Which structure a type's encoded form has, so that records of another structure are misses before
// anything is decoded.
//
// What: the first 32 bits of the SHA-256 of the structure's text, which `SchemaProbe` finds by
// decoding the type once from neutral values. Invariants: the same in every process and build whose
// type is written the same; never zero, which stands for codecs without a structure; one `Optional`
// is stripped, as in the type's identity. The user's `init(from:)` runs outside the lock; of two that
// find it out at once both find the same. Called for records of slower stores, never on a memory hit.
import Synchronization

package enum SchemaFingerprint {
  private static let known = Lock<[ObjectIdentifier: UInt32]>([:])

  /// The fingerprint of a type; found out on first use.
  ///
  /// - Parameter type: any type.
  /// - Returns: the fingerprint; zero for types that cannot be decoded.
  package static func of(_ type: Any.Type) -> UInt32 {
    let identity = ObjectIdentifier(type)
    if let found = known.withLock({ $0[identity] }) { return found }
    let fingerprint = structure(of: type).map(fold) ?? 0
    known.withLock { $0[identity] = fingerprint }
    return fingerprint
  }

  /// The text that the fingerprint is taken of.
  ///
  /// - Parameter type: any type.
  /// - Returns: a line for each type in it, the type itself first; `nil` when it cannot be decoded.
  package static func structure(of type: Any.Type) -> String? {
    let stripped = (type as? any AnyOptional.Type)?.wrappedType ?? type
    guard let decodable = stripped as? any Decodable.Type else { return nil }
    let probe = SchemaProbe()
    probe.look(at: decodable)
    return probe.text
  }

  private static func fold(_ text: String) -> UInt32 {
    let digest = StableDigest.hash(Array(text.utf8))
    let bits = digest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    return bits == 0 ? 1 : bits
  }
}
