/// The few calls that a store on files makes: the seam for counting them and making them fail.
///
/// All calls block the calling thread, never follow a symbolic link at the end of a path, and throw
/// the system's error number. An implementation retries interrupted calls and continues short
/// writes by itself, so that a caller sees one call done or failed.
public protocol FileSystem: Sendable {
  /// The user that new files belong to.
  var user: UInt32 { get }

  /// Opens a file for reading, or a directory to synchronize it or to reach its files.
  ///
  /// - Parameter path: an absolute path.
  /// - Returns: a descriptor to be closed.
  /// - Throws: the system's error.
  func open(_ path: String) throws(FileSystemError) -> Int32

  /// Creates a file for writing, readable and writable by its user only.
  ///
  /// - Parameters:
  ///   - path: an absolute path at which nothing exists.
  ///   - protection: when the system lets it be read; Apple platforms only.
  /// - Returns: a descriptor to be closed.
  /// - Throws: the system's error.
  func create(_ path: String, _ protection: FileProtection) throws(FileSystemError) -> Int32

  /// Opens a file so that every write goes to its end, wherever others have moved that.
  ///
  /// - Parameter path: an absolute path at which a file exists.
  /// - Returns: a descriptor to be closed.
  /// - Throws: the system's error; `ENOTSUP` where this cannot be done, as by default.
  func openToAppend(_ path: String) throws(FileSystemError) -> Int32

  /// Reads from a place in a file, up to a count or the end of the file.
  ///
  /// - Parameters:
  ///   - descriptor: an open file.
  ///   - offset: where to begin.
  ///   - count: how many bytes at most.
  /// - Returns: the bytes; fewer than `count` only at the end of the file.
  /// - Throws: the system's error.
  func read(
    _ descriptor: Int32,
    at offset: Int,
    count: Int
  ) throws(FileSystemError) -> [UInt8]

  /// Writes bytes at the file's position, all of them.
  ///
  /// - Parameters:
  ///   - descriptor: a file made by ``create(_:_:)``.
  ///   - bytes: what to write.
  /// - Throws: the system's error; some of the bytes may have been written.
  func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(FileSystemError)

  /// Waits until a file or directory has reached the device.
  ///
  /// - Parameter descriptor: what to synchronize.
  /// - Throws: the system's error.
  func synchronize(_ descriptor: Int32) throws(FileSystemError)

  /// Closes a descriptor; it is gone even when this throws.
  ///
  /// - Parameter descriptor: what to close.
  /// - Throws: the system's error.
  func close(_ descriptor: Int32) throws(FileSystemError)

  /// Sets the times of an open file.
  ///
  /// - Parameters:
  ///   - descriptor: the file.
  ///   - accessed: the access time, in microseconds since 1970.
  ///   - modified: the modification time, in microseconds since 1970.
  /// - Throws: the system's error.
  func setTimes(
    _ descriptor: Int32,
    accessed: Int64,
    modified: Int64
  ) throws(FileSystemError)

  /// Sets the access time of an open file and leaves the modification time as it is.
  ///
  /// - Parameters:
  ///   - descriptor: the file.
  ///   - accessed: the access time, in microseconds since 1970.
  /// - Throws: the system's error.
  func setAccessTime(_ descriptor: Int32, _ accessed: Int64) throws(FileSystemError)

  /// Asks about an open file.
  ///
  /// - Parameter descriptor: the file.
  /// - Returns: its status.
  /// - Throws: the system's error.
  func status(of descriptor: Int32) throws(FileSystemError) -> FileStatus

  /// Asks about a path.
  ///
  /// - Parameter path: an absolute path.
  /// - Returns: the status of what is there, a link itself rather than its target.
  /// - Throws: the system's error.
  func status(at path: String) throws(FileSystemError) -> FileStatus

  /// Asks about a file of an open directory.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - directory: the directory.
  /// - Returns: the status of what is there, a link itself rather than its target.
  /// - Throws: the system's error.
  func status(
    of name: String,
    in directory: OpenDirectory
  ) throws(FileSystemError) -> FileStatus

  /// Renames a file, atomically replacing what has the new name.
  ///
  /// - Parameters:
  ///   - path: the old path.
  ///   - newPath: the new path.
  /// - Throws: the system's error.
  func rename(_ path: String, to newPath: String) throws(FileSystemError)

  /// Renames a file into an open directory, atomically replacing what has the name there.
  ///
  /// - Parameters:
  ///   - path: the old path.
  ///   - name: the new name.
  ///   - directory: the directory.
  /// - Throws: the system's error.
  func rename(
    _ path: String,
    to name: String,
    in directory: OpenDirectory
  ) throws(FileSystemError)

  /// Renames a file of an open directory, atomically replacing what has the new name.
  ///
  /// - Parameters:
  ///   - name: the old name.
  ///   - directory: the directory.
  ///   - newPath: the new path.
  /// - Throws: the system's error.
  func rename(
    _ name: String,
    in directory: OpenDirectory,
    to newPath: String
  ) throws(FileSystemError)

  /// Gives a file a second name, if nothing has that name.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - newPath: the second one.
  /// - Throws: the system's error.
  func link(_ path: String, to newPath: String) throws(FileSystemError)

  /// Gives a file a second name in an open directory, if nothing has that name there.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - name: the second name.
  ///   - directory: the directory.
  /// - Throws: the system's error.
  func link(
    _ path: String,
    to name: String,
    in directory: OpenDirectory
  ) throws(FileSystemError)

  /// Removes a file or a symbolic link.
  ///
  /// - Parameter path: the file's path.
  /// - Throws: the system's error.
  func unlink(_ path: String) throws(FileSystemError)

  /// Removes a file or a symbolic link of an open directory.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - directory: the directory.
  /// - Throws: the system's error.
  func unlink(_ name: String, in directory: OpenDirectory) throws(FileSystemError)

  /// Makes a directory that only its user can enter.
  ///
  /// - Parameter path: its path; the parent exists.
  /// - Throws: the system's error.
  func makeDirectory(_ path: String) throws(FileSystemError)

  /// Removes an empty directory.
  ///
  /// - Parameter path: its path.
  /// - Throws: the system's error.
  func removeDirectory(_ path: String) throws(FileSystemError)

  /// Lists a directory.
  ///
  /// - Parameter path: its path; a symbolic link is refused.
  /// - Returns: the names in it, in no particular order, without `.` and `..`.
  /// - Throws: the system's error.
  func list(_ path: String) throws(FileSystemError) -> [String]

  /// Lists a directory with the numbers of its files, without asking about each of them.
  ///
  /// - Parameter path: its path; a symbolic link is refused.
  /// - Returns: its entries, in no particular order, without `.` and `..`.
  /// - Throws: the system's error.
  func entries(of path: String) throws(FileSystemError) -> [DirectoryEntry]

  /// Lists a directory as ``entries(of:)`` does, into one block of memory.
  ///
  /// - Parameter path: its path; a symbolic link is refused.
  /// - Returns: its entries, in no particular order, without `.` and `..`.
  /// - Throws: the system's error.
  func listing(of path: String) throws(FileSystemError) -> DirectoryListing
}

extension FileSystem {
  /// Cannot append.
  ///
  /// - Parameter path: ignored.
  /// - Returns: never.
  /// - Throws: `ENOTSUP`.
  public func openToAppend(_ path: String) throws(FileSystemError) -> Int32 {
    throw .unsupported(.append)
  }

  /// Sets both times, the modification time to what it is.
  ///
  /// - Parameters:
  ///   - descriptor: the file.
  ///   - accessed: the access time, in microseconds since 1970.
  /// - Throws: the system's error.
  public func setAccessTime(_ descriptor: Int32, _ accessed: Int64) throws(FileSystemError) {
    try setTimes(descriptor, accessed: accessed, modified: status(of: descriptor).modified)
  }

  /// Asks about a file of an open directory by its path.
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
    try status(at: directory.path + "/" + name)
  }

  /// Renames a file into an open directory by its path.
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
    try rename(path, to: directory.path + "/" + name)
  }

  /// Renames a file of an open directory by its path.
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
    try rename(directory.path + "/" + name, to: newPath)
  }

  /// Gives a file a second name in an open directory by its path.
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
    try link(path, to: directory.path + "/" + name)
  }

  /// Removes a file of an open directory by its path.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - directory: the directory.
  /// - Throws: the system's error.
  public func unlink(_ name: String, in directory: OpenDirectory) throws(FileSystemError) {
    try unlink(directory.path + "/" + name)
  }

  /// Lists a directory and asks about each of its files.
  ///
  /// - Parameter path: its path.
  /// - Returns: its entries.
  /// - Throws: the system's error.
  public func entries(of path: String) throws(FileSystemError) -> [DirectoryEntry] {
    var entries: [DirectoryEntry] = []
    for name in try list(path) {
      do throws(FileSystemError) {
        let status = try status(at: path + "/" + name)
        entries.append(DirectoryEntry(name: name, inode: status.inode, kind: status.kind))
      } catch {
        guard error.isAbsent else { throw error }
      }
    }
    return entries
  }

  /// Lists a directory by ``entries(of:)``.
  ///
  /// - Parameter path: its path.
  /// - Returns: its entries.
  /// - Throws: the system's error.
  public func listing(of path: String) throws(FileSystemError) -> DirectoryListing {
    DirectoryListing(try entries(of: path))
  }
}
