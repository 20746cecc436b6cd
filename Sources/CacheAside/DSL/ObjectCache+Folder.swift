#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Cache where Key == String, Value: Codable {
  /// Makes a cache of memory and disk, as AwesomeCache's `Cache(name:directory:fileProtection:)`.
  ///
  /// Expired objects stay until ``removeExpiredObjects()`` or until room is needed, and are
  /// returned only by reads that ask for them.
  ///
  /// - Parameters:
  ///   - name: the name of its folder.
  ///   - directory: the folder in which its own is made; `nil` takes the user's folder for caches.
  ///   - fileProtection: when the system lets the files be read; Apple platforms only.
  /// - Throws: `CacheError` when the name cannot be a folder's, or the folder belongs to another
  ///   user.
  public convenience init(
    name: String,
    directory: URL? = nil,
    fileProtection: FileProtection = .completeUntilFirstUserAuthentication
  ) throws {
    try self.init(name: name, policy: CachePolicy(keepExpired: .unlimited)) {
      Memory()
      Disk(
        location: directory.map { .directory($0) } ?? .caches,
        protection: fileProtection
      )
    }
  }
}

extension Cache where Key == String {
  /// Refuses values that cannot be written to disk.
  ///
  /// - Parameters:
  ///   - name: the name of its folder.
  ///   - directory: the folder in which its own is made.
  /// - Throws: nothing: it cannot be called.
  @available(
    *,
    unavailable,
    message: "make the value type Codable, or use Cache(name:codec:) with a codec of your own"
  )
  public convenience init(name: String, directory: URL? = nil) throws {
    try self.init(name: name) { Memory() }
  }
}
