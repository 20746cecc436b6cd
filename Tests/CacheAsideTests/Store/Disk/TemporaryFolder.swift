import CacheAside

/// A folder under the system's one for temporary files, removed with the last reference.
final class TemporaryFolder: Sendable {
  let path: String
  private let files = POSIXFileSystem()

  init() throws {
    path = "/tmp/cache-aside-tests-\(UInt64.random(in: .min ... .max))"
    try files.makeDirectory(path)
  }

  deinit { Self.removeTree(path) }

  /// Removes a file, or a folder with all that is in it.
  static func removeTree(_ path: String) {
    let files = POSIXFileSystem()
    do {
      if try files.status(at: path).kind != .directory { return try files.unlink(path) }
      for name in try files.list(path) { removeTree(path + "/" + name) }
      try files.removeDirectory(path)
    } catch {
      // Gone already.
    }
  }

  /// The paths of the files in a folder, with those in its folders.
  static func filePaths(in path: String) -> [String] {
    let files = POSIXFileSystem()
    var found: [String] = []
    do {
      for name in try files.list(path).sorted() {
        let inner = path + "/" + name
        if try files.status(at: inner).kind == .directory {
          found += filePaths(in: inner)
        } else {
          found.append(inner)
        }
      }
    } catch {
      // Gone meanwhile.
    }
    return found
  }

  /// The sum of the lengths of all files in a folder.
  static func size(of path: String) throws -> Int {
    try filePaths(in: path).reduce(0) { try $0 + POSIXFileSystem().status(at: $1).size }
  }

  static func read(_ path: String) throws -> [UInt8] {
    let files = POSIXFileSystem()
    let descriptor = try files.open(path)
    let bytes = try files.read(descriptor, at: 0, count: 64_000_000)
    try files.close(descriptor)
    return bytes
  }

  /// Writes a file anew, with a modification time in microseconds since 1970.
  static func write(_ bytes: [UInt8], to path: String, modified: Int64? = nil) throws {
    let files = POSIXFileSystem()
    removeTree(path)
    let descriptor = try files.create(path, .none)
    try files.write(descriptor, bytes)
    if let modified { try files.setTimes(descriptor, accessed: modified, modified: modified) }
    try files.close(descriptor)
  }
}
