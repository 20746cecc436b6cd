// Whether values of a type need the exact coding: found out from what the type is made of, once.
//
// What: walks the stored properties, cases and elements (`StoredParts`) for a type with an exact form.
// A part that cannot be looked into, or that codes itself in a way which its type does not show, may
// have one: then the answer is yes, which costs time and loses nothing. Invariants: nobody's code runs;
// the same answer in every process. Called when a value is encoded or decoded as JSON.
import Synchronization

enum ExactNeed {
  private static let known = Lock<[ObjectIdentifier: Bool]>([:])
  private static let mostTypes = 1_000

  /// Whether a type may contain something with an exact form.
  static func of(_ type: Any.Type) -> Bool {
    let identity = ObjectIdentifier(type)
    if let found = known.withLock({ $0[identity] }) { return found }
    let answer = search(type)
    known.withLock { $0[identity] = answer }
    return answer
  }

  private static func search(_ type: Any.Type) -> Bool {
    var seen: Set<ObjectIdentifier> = []
    var open: [Any.Type] = [type]
    while let next = open.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      if next is any ExactForm.Type || seen.count > mostTypes { return true }
      if let parts = next as? any SchemaParts.Type {
        open += parts.parts
        continue
      }
      if SystemModule.declares(TypeIdentity.spelling(of: next)) { continue }
      guard StoredParts.isTuple(next) || next is any (Decodable & Encodable).Type,
        let parts = StoredParts.of(next), !parts.contains(where: \.isUnknown)
      else { return true }
      open += parts.compactMap(\.type)
      if let parent = (next as? AnyClass).flatMap(_getSuperclass) { open.append(parent) }
    }
    return false
  }
}
