#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DiskStore {
  /// Opens, without reading anything, the store in a folder of its own.
  ///
  /// - Parameters:
  ///   - directory: the folder's file URL; whatever else is in it may be removed.
  ///   - limit: how much it may hold; by default 100 MB.
  ///   - durability: what an acknowledged write survives.
  ///   - protection: when the system lets the files be read; Apple platforms only.
  ///   - time: the clock; by default that of the first cache that uses the store.
  /// - Throws: `CacheError` with the code `invalidConfiguration` when the URL is no file URL, the
  ///   limit is not allowed or the folder belongs to another user.
  public convenience init(
    directory: URL,
    limit: DiskLimit? = nil,
    durability: DiskDurability = .process,
    protection: FileProtection = .completeUntilFirstUserAuthentication,
    time: TimeSource? = nil
  ) throws {
    guard directory.isFileURL else {
      throw CacheError(
        .invalidConfiguration,
        "the directory of a disk store must be a file URL"
      )
    }
    try self.init(
      directory: directory.path,
      limit: limit,
      durability: durability,
      protection: protection,
      time: time
    )
  }

  /// The file URL of the store's folder.
  public var url: URL { URL(fileURLWithPath: directory, isDirectory: true) }
}

extension DiskLocation {
  /// A folder of your own.
  ///
  /// - Parameters:
  ///   - url: the file URL of the folder in which the store makes its own.
  ///   - isPermanent: whether entries stay until somebody asks for their removal.
  /// - Returns: the location.
  public static func directory(_ url: URL, isPermanent: Bool = false) -> DiskLocation {
    directory(url.path, isPermanent: isPermanent)
  }
}
