#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

extension POSIXFileSystem {
  /// Waits with `fsync`, on Darwin with `F_FULLFSYNC`.
  ///
  /// - Parameter descriptor: what to synchronize.
  /// - Throws: the system's error.
  public func synchronize(_ descriptor: Int32) throws(FileSystemError) {
    try check(.synchronize) { SystemCall.synchronizeFile(descriptor) }
  }

  /// Closes with `close`.
  ///
  /// - Parameter descriptor: what to close.
  /// - Throws: the system's error.
  public func close(_ descriptor: Int32) throws(FileSystemError) {
    guard SystemCall.closeFile(descriptor) != 0, errno != EINTR else { return }
    throw FileSystemError(.close, code: errno)
  }

  /// Sets times with `futimens`.
  ///
  /// - Parameters:
  ///   - descriptor: the file.
  ///   - accessed: the access time, in microseconds since 1970.
  ///   - modified: the modification time, in microseconds since 1970.
  /// - Throws: the system's error.
  public func setTimes(
    _ descriptor: Int32,
    accessed: Int64,
    modified: Int64
  ) throws(FileSystemError) {
    try check(.setTimes) { SystemCall.setFileTimes(descriptor, accessed, modified) }
  }

  /// Sets the access time alone with `futimens`.
  ///
  /// - Parameters:
  ///   - descriptor: the file.
  ///   - accessed: the access time, in microseconds since 1970.
  /// - Throws: the system's error.
  public func setAccessTime(_ descriptor: Int32, _ accessed: Int64) throws(FileSystemError) {
    try check(.setTimes) { SystemCall.setFileTimes(descriptor, accessed, nil) }
  }

  /// Asks with `fstat`.
  ///
  /// - Parameter descriptor: the file.
  /// - Returns: its status.
  /// - Throws: the system's error.
  public func status(of descriptor: Int32) throws(FileSystemError) -> FileStatus {
    guard let status = SystemCall.fileStatus(descriptor) else {
      throw FileSystemError(.statusOfFile, code: errno)
    }
    return status
  }

  /// Asks with `lstat`.
  ///
  /// - Parameter path: an absolute path.
  /// - Returns: the status of what is there.
  /// - Throws: the system's error.
  public func status(at path: String) throws(FileSystemError) -> FileStatus {
    guard let status = SystemCall.pathStatus(path) else {
      throw FileSystemError(.status, code: errno)
    }
    return status
  }

  /// Asks with `fstatat`.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - directory: the directory.
  /// - Returns: the status of what is there.
  /// - Throws: the system's error.
  public func status(
    of name: String,
    in directory: OpenDirectory
  ) throws(FileSystemError) -> FileStatus {
    guard let status = SystemCall.pathStatus(name, in: directory.descriptor) else {
      throw FileSystemError(.status, code: errno)
    }
    return status
  }

  /// Renames with `rename`.
  ///
  /// - Parameters:
  ///   - path: the old path.
  ///   - newPath: the new path.
  /// - Throws: the system's error.
  public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try check(.rename) { SystemCall.renameFile(path, newPath) }
  }

  /// Renames with `renameat`.
  ///
  /// - Parameters:
  ///   - path: the old path.
  ///   - name: the new name.
  ///   - directory: the directory.
  /// - Throws: the system's error.
  public func rename(
    _ path: String,
    to name: String,
    in directory: OpenDirectory
  ) throws(FileSystemError) {
    try check(.rename) {
      SystemCall.renameFile(path, in: AT_FDCWD, to: name, in: directory.descriptor)
    }
  }

  /// Renames with `renameat`.
  ///
  /// - Parameters:
  ///   - name: the old name.
  ///   - directory: the directory.
  ///   - newPath: the new path.
  /// - Throws: the system's error.
  public func rename(
    _ name: String,
    in directory: OpenDirectory,
    to newPath: String
  ) throws(FileSystemError) {
    try check(.rename) {
      SystemCall.renameFile(name, in: directory.descriptor, to: newPath, in: AT_FDCWD)
    }
  }

  /// Links with `linkat`.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - name: the second name.
  ///   - directory: the directory.
  /// - Throws: the system's error.
  public func link(
    _ path: String,
    to name: String,
    in directory: OpenDirectory
  ) throws(FileSystemError) {
    try check(.link) { SystemCall.linkFile(path, to: name, in: directory.descriptor) }
  }

  /// Links with `link`.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - newPath: the second one.
  /// - Throws: the system's error.
  public func link(_ path: String, to newPath: String) throws(FileSystemError) {
    try check(.link) { SystemCall.linkFile(path, newPath) }
  }

  /// Removes with `unlink`.
  ///
  /// - Parameter path: the file's path.
  /// - Throws: the system's error.
  public func unlink(_ path: String) throws(FileSystemError) {
    try check(.unlink) { SystemCall.unlinkFile(path) }
  }

  /// Removes with `unlinkat`.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - directory: the directory.
  /// - Throws: the system's error.
  public func unlink(_ name: String, in directory: OpenDirectory) throws(FileSystemError) {
    try check(.unlink) { SystemCall.unlinkFile(name, in: directory.descriptor) }
  }

  /// Makes a directory with `mkdir`, mode 0700.
  ///
  /// - Parameter path: its path.
  /// - Throws: the system's error.
  public func makeDirectory(_ path: String) throws(FileSystemError) {
    try check(.makeDirectory) { unsafe mkdir(path, 0o700) }
  }

  /// Removes a directory with `rmdir`.
  ///
  /// - Parameter path: its path.
  /// - Throws: the system's error.
  public func removeDirectory(_ path: String) throws(FileSystemError) {
    try check(.removeDirectory) { unsafe rmdir(path) }
  }

  /// Lists with `readdir`.
  ///
  /// - Parameter path: its path.
  /// - Returns: the names in it.
  /// - Throws: the system's error.
  public func list(_ path: String) throws(FileSystemError) -> [String] {
    let listing = try listing(of: path)
    return (0..<listing.count).map(listing.name)
  }

  /// Lists with `readdir`.
  ///
  /// - Parameter path: its path.
  /// - Returns: its entries.
  /// - Throws: the system's error.
  public func entries(of path: String) throws(FileSystemError) -> [DirectoryEntry] {
    let listing = try listing(of: path)
    return (0..<listing.count).map { listing[$0] }
  }

  /// Lists with `readdir`.
  ///
  /// - Parameter path: its path.
  /// - Returns: its entries.
  /// - Throws: the system's error.
  public func listing(of path: String) throws(FileSystemError) -> DirectoryListing {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY
    return try SystemCall.listing(of: SystemCall.openFile(path, flags, .list))
  }

  private func check(_ call: FileCall, _ body: () -> Int32) throws(FileSystemError) {
    while body() != 0 {
      if errno != EINTR { throw FileSystemError(call, code: errno) }
    }
  }
}
