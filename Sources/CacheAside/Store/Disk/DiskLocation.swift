/// Where a disk store keeps its folder.
///
/// The base is looked up whenever a store is opened, since app containers move between launches.
public struct DiskLocation: Hashable, Sendable {
  private enum Base: Hashable, Sendable {
    case caches
    case permanent
    case directory(String)
  }

  private let base: Base

  /// Whether entries stay until somebody asks for their removal.
  ///
  /// A permanent store evicts nothing and writes durably; damaged records are set aside in the
  /// folder `aside` rather than deleted.
  public let isPermanent: Bool

  /// The user's folder for caches, which the system or the user may empty at any time.
  ///
  /// `Library/Caches/<bundle id>` on Apple platforms, `${XDG_CACHE_HOME:-~/.cache}/<program>`
  /// elsewhere.
  public static let caches = DiskLocation(base: .caches, isPermanent: false)

  /// The user's folder for lasting data.
  ///
  /// `Library/Application Support/<bundle id>` on Apple platforms,
  /// `${XDG_DATA_HOME:-~/.local/share}/<program>` elsewhere.
  public static let permanent = DiskLocation(base: .permanent, isPermanent: true)

  /// A folder of your own.
  ///
  /// - Parameters:
  ///   - path: the folder in which the store makes its own; a relative path starts at the current
  ///     directory.
  ///   - isPermanent: whether entries stay until somebody asks for their removal.
  /// - Returns: the location.
  public static func directory(_ path: String, isPermanent: Bool = false) -> DiskLocation {
    DiskLocation(base: .directory(path), isPermanent: isPermanent)
  }

  /// The folder of a store with a name: canonically equal names are one folder on every file system.
  func folder(named name: String) throws -> String {
    let name = Normalize.nfc(name)
    guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= 255,
      !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    else {
      throw CacheError(
        .invalidConfiguration,
        "\(name.debugDescription) cannot name a disk store's folder; give the disk a folder: of 1 to "
          + "255 bytes without \"/\" and NUL, and neither \".\" nor \"..\""
      )
    }
    return try path() + "/" + name
  }

  private func path() throws -> String {
    switch base {
    case .caches:
      return try found(StandardFolder.caches())
    case .permanent:
      return try found(StandardFolder.lastingData())
    case .directory(let path):
      return try StandardFolder.absolute(Self.checked(path))
    }
  }

  /// A path that the file system can take.
  static func checked(_ path: String) throws -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw CacheError(
        .invalidConfiguration,
        "the path of a disk store's directory must not be empty or contain NUL"
      )
    }
    return path
  }

  private func found(_ folder: String?) throws -> String {
    guard let folder else {
      throw CacheError(
        .invalidConfiguration,
        "no home directory is known; set HOME, or place the disk store with .directory(_:)"
      )
    }
    return folder
  }
}
