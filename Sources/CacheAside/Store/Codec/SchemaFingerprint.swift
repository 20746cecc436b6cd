// Which structure a type's encoded form has, so that records of another structure are misses before
// anything is decoded.
//
// What: the first 32 bits of the SHA-256 of the structure's text, which `SchemaProbe` finds from what
// the type is made of and from its keys. Invariants: the same in every process and build whose type is
// written the same; never zero, which stands for codecs without a structure; one `Optional` is
// stripped, as in the type's identity. The user's `init(from:)` runs outside the lock, without any
// value; of two that find it out at once both find the same. Called for records of slower stores,
// never on a memory hit.
import Synchronization

package enum SchemaFingerprint {
  private struct Finding {
    var fingerprint: UInt32 = 0
    var hidden: [String] = []
  }

  private static let known = Lock<[ObjectIdentifier: Finding]>([:])

  /// The fingerprint of a type; found out on first use.
  ///
  /// - Parameter type: any type.
  /// - Returns: the fingerprint; zero for types that cannot be decoded.
  package static func of(_ type: Any.Type) -> UInt32 { finding(of: type).fingerprint }

  /// The types in a type whose coding can change without the fingerprint.
  ///
  /// - Parameter type: any type.
  /// - Returns: their names; empty when all of the structure is seen.
  static func hidden(in type: Any.Type) -> [String] { finding(of: type).hidden }

  /// The text that the fingerprint is taken of.
  ///
  /// - Parameter type: any type.
  /// - Returns: a line for each type in it, the type itself first; `nil` when it cannot be decoded.
  package static func structure(of type: Any.Type) -> String? { probe(type)?.text }

  private static func finding(of type: Any.Type) -> Finding {
    let identity = ObjectIdentifier(type)
    if let found = known.withLock({ $0[identity] }) { return found }
    // Not kept where there is none: on the main actor there may be one.
    guard let probe = probe(type) else { return Finding() }
    let finding = Finding(fingerprint: fold(probe.text), hidden: probe.hidden)
    known.withLock { $0[identity] = finding }
    return finding
  }

  private static func probe(_ type: Any.Type) -> SchemaProbe? {
    let stripped = (type as? any AnyOptional.Type)?.wrappedType ?? type
    guard stripped is any Decodable.Type else { return nil }
    let probe = SchemaProbe()
    probe.look(at: stripped)
    return probe
  }

  private static func fold(_ text: String) -> UInt32 {
    let digest = StableDigest.hash(Array(text.utf8))
    let bits = digest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    return bits == 0 ? 1 : bits
  }
}
