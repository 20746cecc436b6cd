/// A part of the key space: a feature's name with an optional version and scope.
///
/// It prints as `name@version;part=value`, with every character escaped that has a meaning in it or
/// in a pattern of a backend. `:` ends it in a key, so no namespace is a prefix of another there.
/// The empty name prints as `%-`.
@frozen
public struct Namespace: Hashable, Sendable, CustomStringConvertible {
  /// The parts, shared by all keys of the namespace, so that a key carries one word for it.
  @usableFromInline
  final class Storage: Sendable {
    let name: String
    let version: Int?
    let scope: CacheScope
    @usableFromInline let description: String
    /// A hash of the description, of this process only.
    @usableFromInline let hash: Int

    init(name: String, version: Int?, scope: CacheScope) {
      self.name = Normalize.nfc(name)
      self.version = version
      self.scope = scope
      var text = ""
      if name.isEmpty { text = "%-" }
      CacheKey.append(name, escaping: .namespace, to: &text)
      if let version { text += "@\(version)" }
      scope.print(to: &text)
      description = Normalize.nfc(text)
      var hasher = Hasher()
      hasher.combine(description)
      hash = hasher.finalize()
    }
  }

  @usableFromInline let storage: Storage

  init(_ storage: Storage) { self.storage = storage }

  /// Makes the namespace of a feature.
  ///
  /// - Parameters:
  ///   - name: the feature's name; any characters.
  ///   - version: a number to raise when what is stored changes its meaning.
  ///   - scope: whose entries these are, such as one tenant's.
  public init(_ name: String, version: Int? = nil, scope: CacheScope = .none) {
    storage = Storage(name: name, version: version, scope: scope)
  }

  /// The feature's name.
  public var name: String { storage.name }

  /// The version, if there is one.
  public var version: Int? { storage.version }

  /// Whose entries these are.
  public var scope: CacheScope { storage.scope }

  /// The printable form, unique for the name, version and scope.
  @inlinable public var description: String { storage.description }

  /// This namespace for a scope.
  ///
  /// - Parameter scope: whose entries; it replaces the scope that the namespace has.
  /// - Returns: the namespace of the same name and version.
  public func scoped(_ scope: CacheScope) -> Namespace {
    scope == self.scope ? self : Namespace(name, version: version, scope: scope)
  }

  /// Whether keys of another namespace belong to this one: of the same name and version, and of a
  /// scope that contains all parts of this one's.
  ///
  /// - Parameter other: a key's namespace.
  /// - Returns: whether this one covers it.
  public func covers(_ other: Namespace?) -> Bool {
    guard let other else { return false }
    if self == other { return true }
    return other.name == name && other.version == version && other.scope.contains(scope)
  }

  /// Whether the bytes of a key begin with this namespace or one that it covers.
  ///
  /// - Parameter keyBytes: what `CacheKey.bytes` gave.
  /// - Returns: whether this namespace covers the key.
  package func covers(keyBytes: some Collection<UInt8>) -> Bool {
    // `:` ends a namespace, `;` begins its scope; neither stands in a name unescaped.
    let head = description.utf8.prefix { $0 != 0x3B }
    guard keyBytes.starts(with: head) else { return false }
    let rest = keyBytes.dropFirst(head.count)
    if scope.isEmpty { return rest.first == 0x3A || rest.first == 0x3B }
    return rest.first == 0x3B && covers(CacheKey(bytes: keyBytes)?.namespace)
  }

  /// Whether two namespaces have the same name, version and scope.
  ///
  /// - Parameters:
  ///   - lhs: one.
  ///   - rhs: the other.
  /// - Returns: whether they are equal.
  @inlinable
  public static func == (lhs: Namespace, rhs: Namespace) -> Bool {
    lhs.storage === rhs.storage || lhs.storage.description == rhs.storage.description
  }

  /// Feeds the namespace into a hasher.
  ///
  /// - Parameter hasher: where to.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage.hash)
  }
}
