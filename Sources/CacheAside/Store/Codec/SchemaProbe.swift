// What a type asks for while it is decoded: the structure behind a schema fingerprint.
//
// What: runs the type's `init(from:)` with a decoder that writes down every request (containers, key
// names, types, questions for nil) and answers with neutral values: zero, empty, nil, the first case.
// A type that occurs is described once, in a line of its own; other lines name it, so recursion ends
// and the text stays linear in the number of types. An enum that asks which keys there are is decoded
// once for each key its key type can name, so that every case shows what it carries.
// Invariants: the text depends on the declarations only, not on the order of properties, nor on the
// process; a request beyond the bounds (depth, types, requests) throws, so the probe ends for every
// type whose own code ends; what was seen before an error stays. Values never leave the probe.
// Called by `SchemaFingerprint`, outside locks, with one probe a type and thread.
final class SchemaProbe {
  /// Ends the decoding of a type of which no neutral value can be made.
  struct NoValue: Error {}

  private struct Definition {
    let name: String
    var requests: Set<String> = []
    var value: Any?
    var isEntered = false
    /// Which of the keys is shown to a type that asks for them all.
    var round = 0
    /// How many rounds there are.
    var rounds = 1
  }

  private struct Made<Value> { let value: Value }

  private var numbers: [ObjectIdentifier: Int] = [:]
  private var names: [String: Int] = [:]
  private var definitions: [Definition] = []
  private var requestCount = 0
  private var depth = 0

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

  /// Describes a type, whether or not a value of it can be made.
  func look(at type: any Decodable.Type) {
    do { _ = try value(type) } catch {
      // What was seen up to here is the structure.
    }
  }

  /// The name of a type in the text; of two types that are spelled alike the later gets a number.
  func name(of type: any Decodable.Type) -> String { definitions[number(of: type)].name }

  /// Writes down a request of a type.
  func note(_ request: String, of definition: Int) throws {
    requestCount += 1
    guard requestCount <= Self.mostRequests else { throw NoValue() }
    definitions[definition].requests.insert(request)
  }

  /// A neutral value of a type, which is described on first sight.
  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let number = number(of: type)
    if !definitions[number].isEntered {
      // A long name is that of a generic type whose parts would have still longer ones.
      guard depth < Self.deepest, definitions.count <= Self.mostTypes,
        definitions[number].name.utf8.count <= Self.longestName
      else { throw NoValue() }
      definitions[number].isEntered = true
      depth += 1
      defer { depth -= 1 }
      describe(type, number)
    }
    guard let made = definitions[number].value as? Made<Value> else { throw NoValue() }
    return made.value
  }

  /// The key that a type sees which asks for all keys.
  func keys<Key: CodingKey>(_ type: Key.Type, of definition: Int) -> [Key] {
    let count = EnumCases.count(of: type)
    guard count > 0 else { return Key(stringValue: "key").map { [$0] } ?? [] }
    definitions[definition].rounds = max(definitions[definition].rounds, count)
    let index = min(definitions[definition].round, count - 1)
    return EnumCases.value(at: index, of: type).map { [$0] } ?? []
  }

  private func describe<Value: Decodable>(_ type: Value.Type, _ number: Int) {
    if let neutral = type as? any NeutralValue.Type {
      keep(neutral.neutral as? Value, number)
      return
    }
    if let vector = type as? any SIMD.Type {
      keep(vector.init() as? Value, number)
      return
    }
    if let parts = type as? any SchemaParts.Type {
      // The value first: a part may contain this type again.
      keep(parts.empty as? Value, number)
      for part in parts.parts { look(at: part) }
      return
    }
    while definitions[number].round < definitions[number].rounds {
      do {
        keep(try Value(from: ProbeDecoder(probe: self, definition: number, path: "")), number)
      } catch {
        // The type refuses neutral values; what it asked for is written down.
      }
      definitions[number].round += 1
    }
    if definitions[number].value == nil { keep(firstCase(of: type), number) }
  }

  private func keep<Value>(_ value: Value?, _ number: Int) {
    guard definitions[number].value == nil, let value else { return }
    definitions[number].value = Made(value: value)
  }

  /// A value of an enum that takes none of the neutral raw values.
  private func firstCase<Value>(of type: Value.Type) -> Value? {
    if let cases = type as? any CaseIterable.Type { return Self.first(of: cases) as? Value }
    return EnumCases.value(at: 0, of: type)
  }

  private static func first<Cases: CaseIterable>(of type: Cases.Type) -> Cases? {
    type.allCases.first
  }

  private func number(of type: any Decodable.Type) -> Int {
    if let number = numbers[ObjectIdentifier(type)] { return number }
    let spelling = TypeIdentity.spelling(of: type)
    let count = names[spelling, default: 0] + 1
    names[spelling] = count
    definitions.append(Definition(name: count == 1 ? spelling : "\(spelling)#\(count)"))
    numbers[ObjectIdentifier(type)] = definitions.count - 1
    return definitions.count - 1
  }
}
