// The structure behind a schema fingerprint: what a type is made of and which keys it is coded under.
//
// What: the stored properties and cases of a type come from its metadata (`StoredParts`), the names of
// its keys from its `init(from:)`, which is run with a decoder that writes down every request and
// refuses it: keys that are an enum are listed whole, from whatever is asked first. A property is
// written under the key of its name. An enum that asks which keys there are is run once for each, so
// that every case shows what it carries. A type that occurs is described once, in a line of its own;
// other lines name it, so recursion ends and the text stays linear in the number of types.
// Invariants: no value is ever made up, so no code is run with one (a decoder that refuses is all that
// an `init(from:)` meets, as with a damaged record); types of the system are named and not looked
// into; the text depends on the declarations only, not on the order of properties, nor on the process;
// beyond the bounds (depth, types, requests) nothing is described, so the probe ends for every type
// whose own code ends. Called by `SchemaFingerprint`, outside locks, with one probe a type and thread.
final class SchemaProbe {
  /// Ends the decoding of a type: there is no value.
  struct Refusal: Error {}

  /// The keys of a container: the names of the cases and what they are written as.
  struct Keys {
    var names: [String: String] = [:]
  }

  private struct Definition {
    let name: String
    let type: Any.Type
    let depth: Int
    var requests: Set<String> = []
    /// The keys of the type's own container.
    var keys: Keys?
    /// Whether some of its requests cannot be foreseen.
    var isHidden = false
    /// Which of the keys is shown to a type that asks for them all.
    var round = 0
    /// How many rounds there are.
    var rounds = 1
  }

  private var numbers: [ObjectIdentifier: Int] = [:]
  private var names: [String: Int] = [:]
  private var definitions: [Definition] = []
  private var requestCount = 0

  private static let deepest = 48
  private static let mostTypes = 1_000
  private static let mostRequests = 20_000
  private static let longestName = 4_096

  /// What was found out: the first type, then a line for each type with something in it.
  var text: String {
    let lines = definitions.filter { !$0.requests.isEmpty }.map { definition in
      definition.name + " {" + definition.requests.sorted().joined(separator: "; ") + "}"
    }
    return ([definitions.first?.name ?? ""] + lines.sorted()).joined(separator: "\n")
  }

  /// The types a part of whose coding was not seen.
  var hidden: [String] { definitions.filter(\.isHidden).map(\.name).sorted() }

  /// Describes a type and all that is in it.
  func look(at type: Any.Type) {
    _ = number(of: type, depth: 0)
    var next = 0
    while next < definitions.count {
      describe(next)
      next += 1
    }
  }

  /// The name of a type in the text; of two types that are spelled alike the later gets a number.
  func name(of type: Any.Type, in definition: Int) -> String {
    definitions[number(of: type, depth: definitions[definition].depth + 1)].name
  }

  /// Writes down a request of a type.
  func note(_ request: String, of definition: Int) throws {
    requestCount += 1
    guard requestCount <= Self.mostRequests else { throw Refusal() }
    definitions[definition].requests.insert(request)
  }

  /// Writes down the keys of a container.
  func note<Key: CodingKey>(_ type: Key.Type, at path: String, of definition: Int) throws {
    try note(path + "{}", of: definition)
    guard let keys = Self.keys(of: type) else {
      definitions[definition].isHidden = true
      return
    }
    for key in keys.names.values.sorted() { try note(path + "." + key, of: definition) }
    if path.isEmpty {
      // A superclass that is coded in the same container has keys of its own.
      definitions[definition].keys = Keys(
        names: (definitions[definition].keys?.names ?? [:]).merging(keys.names) { old, _ in old }
      )
    }
  }

  /// Says that more may be asked for than is seen.
  func noteHidden(_ definition: Int) { definitions[definition].isHidden = true }

  /// The key that a type sees which asks for all keys.
  func keys<Key: CodingKey>(_ type: Key.Type, of definition: Int) -> [Key] {
    let count = EnumCases.count(of: type)
    guard count > 0 else { return [] }
    definitions[definition].rounds = max(definitions[definition].rounds, count)
    let index = min(definitions[definition].round, count - 1)
    return EnumCases.value(at: index, of: type).map { [$0] } ?? []
  }

  /// The keys of a key type that is an enum; `nil` for others.
  private static func keys<Key: CodingKey>(of type: Key.Type) -> Keys? {
    guard StoredParts.isEnum(type), let cases = StoredParts.of(type) else { return nil }
    guard EnumCases.count(of: type) == cases.count else { return nil }
    var keys = Keys()
    for (index, one) in cases.enumerated() {
      keys.names[one.name] = EnumCases.value(at: index, of: type)?.stringValue
    }
    return keys
  }

  private func describe(_ number: Int) {
    let definition = definitions[number]
    if let parts = definition.type as? any SchemaParts.Type {
      for part in parts.parts { _ = name(of: part, in: number) }
      return
    }
    if SystemModule.declares(definition.name) { return }
    guard let type = definition.type as? any Decodable.Type else { return describeTuple(number) }
    while definitions[number].round < definitions[number].rounds {
      do { try run(type, number) } catch {
        // What was asked for up to here is written down.
      }
      definitions[number].round += 1
    }
    describeParts(number)
  }

  private func run<Value: Decodable>(_ type: Value.Type, _ number: Int) throws {
    _ = try Value(from: ProbeDecoder(probe: self, definition: number, path: ""))
  }

  private func describeTuple(_ number: Int) {
    guard StoredParts.isTuple(definitions[number].type) else { return }
    for part in StoredParts.of(definitions[number].type) ?? [] {
      if let type = part.type { _ = name(of: type, in: number) }
    }
  }

  /// Writes down the stored properties, or what the cases carry, each under its key.
  private func describeParts(_ number: Int) {
    let type = definitions[number].type
    let isEnum = StoredParts.isEnum(type)
    let keys = definitions[number].keys
    // An enum that is coded as one value has nothing more to show than the type of that.
    if isEnum, keys == nil { return }
    guard let parts = StoredParts.of(type) else { return definitions[number].isHidden = true }
    var free = Set(keys?.names.keys.map { $0 } ?? [])
    var rest: [StoredParts.Part] = []
    for part in parts {
      guard let key = Self.key(of: part.name, in: keys), let written = keys?.names[key] else {
        rest.append(part)
        continue
      }
      free.remove(key)
      definitions[number].requests.remove(".\(written)")
      describe(part, as: ".\(written)", number)
    }
    // Where every key has its property, the others are not coded.
    if keys == nil || !free.isEmpty {
      for part in rest { describe(part, as: "=\(part.name)", number) }
    }
    if let parent = (type as? AnyClass).flatMap(_getSuperclass), parent is any Decodable.Type {
      definitions[number].requests.insert("<:" + name(of: parent, in: number))
    }
  }

  private func describe(_ part: StoredParts.Part, as place: String, _ number: Int) {
    guard let type = part.type else {
      if part.isUnknown { definitions[number].isHidden = true }
      return
    }
    if place.hasPrefix("."), !(type is any Decodable.Type), !StoredParts.isTuple(type) {
      definitions[number].isHidden = true
    }
    definitions[number].requests.insert(place + ":" + name(of: type, in: number))
  }

  /// The case of the key that a property is coded under: that of its name, also behind a wrapper.
  private static func key(of name: String, in keys: Keys?) -> String? {
    guard let keys else { return nil }
    for prefix in ["", "_", "$__lazy_storage_$_"] where name.hasPrefix(prefix) {
      let key = String(name.dropFirst(prefix.count))
      if keys.names[key] != nil { return key }
    }
    return nil
  }

  private func number(of type: Any.Type, depth: Int) -> Int {
    if let number = numbers[ObjectIdentifier(type)] { return number }
    let spelling = TypeIdentity.spelling(of: type)
    // A long name is that of a generic type whose parts would have still longer ones.
    let isBeyond =
      depth > Self.deepest || definitions.count > Self.mostTypes
      || spelling.utf8.count > Self.longestName
    let count = names[spelling, default: 0] + 1
    names[spelling] = count
    definitions.append(
      Definition(
        name: count == 1 ? spelling : "\(spelling)#\(count)",
        type: isBeyond ? Never.self : type,
        depth: depth
      )
    )
    numbers[ObjectIdentifier(type)] = definitions.count - 1
    return definitions.count - 1
  }
}
