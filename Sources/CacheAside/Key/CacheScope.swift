/// Whose entries a call may see: named parts such as a tenant, a user or a locale.
///
/// A scope is part of the namespace, so entries of different scopes never meet. The order in which
/// parts were added does not matter; a name has one value.
public struct CacheScope: Hashable, Sendable, CustomStringConvertible,
  ExpressibleByDictionaryLiteral
{
  /// One named part.
  struct Part: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// Ordered by the UTF-8 bytes of the names, which are in form C and unique.
  private var ordered: [Part] = []

  /// The scope without parts.
  public static let none = CacheScope([:])

  /// Makes a scope.
  ///
  /// - Parameter parts: names with their values; of two parts with one name the later counts.
  public init(_ parts: KeyValuePairs<String, String>) {
    for (name, value) in parts { insert(name, value) }
  }

  /// Makes a scope from a dictionary literal: `["tenant": "north"]`.
  ///
  /// - Parameter elements: names with their values; of two parts with one name the later counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { insert(name, value) }
  }

  /// The parts, ordered by the UTF-8 bytes of their names.
  public var parts: [(name: String, value: String)] { ordered.map { ($0.name, $0.value) } }

  /// Whether there are no parts.
  public var isEmpty: Bool { ordered.isEmpty }

  /// The value of a part, or `nil`.
  ///
  /// - Parameter name: the part's name.
  public subscript(name: String) -> String? { ordered.first { $0.name == name }?.value }

  /// This scope with one part more, or with another value for it.
  ///
  /// - Parameters:
  ///   - name: the part's name; any characters.
  ///   - value: its value; any characters.
  /// - Returns: the larger scope.
  public func adding(_ name: String, _ value: String) -> CacheScope {
    var copy = self
    copy.insert(name, value)
    return copy
  }

  /// This scope with the parts of another; the other's values count where both have a part.
  ///
  /// - Parameter other: the scope to add.
  /// - Returns: the joined scope.
  public func merging(_ other: CacheScope) -> CacheScope {
    var copy = self
    for part in other.ordered { copy.insert(part.name, part.value) }
    return copy
  }

  /// This scope without a part.
  ///
  /// - Parameter name: the part's name.
  /// - Returns: the smaller scope.
  public func removing(_ name: String) -> CacheScope {
    var copy = self
    copy.ordered.removeAll { $0.name == name }
    return copy
  }

  /// The printable form: `name=value;name=value`, escaped; empty for ``none``.
  public var description: String {
    var text = ""
    print(to: &text)
    return String(text.dropFirst())
  }

  /// Appends the parts as a namespace prints them, each after a `;`.
  ///
  /// - Parameter text: where to.
  func print(to text: inout String) {
    for part in ordered {
      text += ";"
      CacheKey.append(part.name, escaping: .namespace, to: &text)
      text += "="
      CacheKey.append(part.value, escaping: .namespace, to: &text)
    }
  }

  private mutating func insert(_ name: String, _ value: String) {
    let part = Part(name: Normalize.nfc(name), value: Normalize.nfc(value))
    if let index = ordered.firstIndex(where: { $0.name == part.name }) {
      ordered[index] = part
      return
    }
    let index = ordered.firstIndex { part.name.utf8.lexicographicallyPrecedes($0.name.utf8) }
    ordered.insert(part, at: index ?? ordered.endIndex)
  }
}

extension CacheScope {
  /// Whether every part of another scope is one of this scope's: each scope contains ``none``.
  ///
  /// - Parameter other: the wider scope, of fewer parts.
  /// - Returns: whether what belongs to this scope belongs to that one too.
  public func contains(_ other: CacheScope) -> Bool {
    other.ordered.count <= ordered.count && other.ordered.allSatisfy(ordered.contains)
  }

  /// The names of the parts, in their order.
  var names: [String] { ordered.map(\.name) }

  func isNamed(_ names: [String]) -> Bool {
    ordered.count == names.count && ordered.elementsEqual(names) { $0.name == $1 }
  }

  /// Only the parts of these names; `nil` when one is missing.
  func limited(to names: [String]) -> CacheScope? {
    guard names.count <= ordered.count else { return nil }
    var copy = CacheScope.none
    for name in names {
      guard let part = ordered.first(where: { $0.name == name }) else { return nil }
      copy.ordered.append(part)
    }
    return copy
  }
}
