public import CacheAside

extension FaultInjectingFileSystem {
  /// The user of the wrapped file system.
  public var user: UInt32 { wrapped.user }

  /// Opens, or fails as asked for.
  ///
  /// - Parameter path: an absolute path.
  /// - Returns: a descriptor to be closed.
  /// - Throws: the system's or the injected error.
  public func open(_ path: String) throws(FileSystemError) -> Int32 {
    try prepare(.open, path)
    let descriptor = try wrapped.open(path)
    note(opened: 1)
    return descriptor
  }

  /// Creates, or fails as asked for.
  ///
  /// - Parameters:
  ///   - path: an absolute path.
  ///   - protection: when the system lets it be read.
  /// - Returns: a descriptor to be closed.
  /// - Throws: the system's or the injected error.
  public func create(
    _ path: String,
    _ protection: FileProtection
  ) throws(FileSystemError) -> Int32 {
    try prepare(.create, path)
    let descriptor = try wrapped.create(path, protection)
    note(opened: 1)
    return descriptor
  }

  /// Opens to append, or fails as asked for.
  ///
  /// - Parameter path: an absolute path.
  /// - Returns: a descriptor to be closed.
  /// - Throws: the system's or the injected error.
  public func openToAppend(_ path: String) throws(FileSystemError) -> Int32 {
    try prepare(.append, path)
    let descriptor = try wrapped.openToAppend(path)
    note(opened: 1)
    return descriptor
  }

  /// Reads, or fails as asked for.
  ///
  /// - Parameters:
  ///   - descriptor: an open file.
  ///   - offset: where to begin.
  ///   - count: how many bytes at most.
  /// - Returns: the bytes.
  /// - Throws: the system's or the injected error.
  public func read(
    _ descriptor: Int32,
    at offset: Int,
    count: Int
  ) throws(FileSystemError) -> [UInt8] {
    try prepare(.read, nil)
    let bytes = try wrapped.read(descriptor, at: offset, count: count)
    note(read: bytes.count)
    return bytes
  }

  /// Writes, or fails as asked for after half of the bytes, as a full volume does.
  ///
  /// - Parameters:
  ///   - descriptor: a created file.
  ///   - bytes: what to write.
  /// - Throws: the system's or the injected error.
  public func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(FileSystemError) {
    do throws(FileSystemError) { try prepare(.write, nil) } catch {
      try wrapped.write(descriptor, Array(bytes.prefix(bytes.count / 2)))
      throw error
    }
    try wrapped.write(descriptor, bytes)
    note(written: bytes.count)
  }

  /// Synchronizes, or fails as asked for.
  ///
  /// - Parameter descriptor: what to synchronize.
  /// - Throws: the system's or the injected error.
  public func synchronize(_ descriptor: Int32) throws(FileSystemError) {
    try prepare(.synchronize, nil)
    try wrapped.synchronize(descriptor)
  }

  /// Closes, and fails as asked for after that.
  ///
  /// - Parameter descriptor: what to close.
  /// - Throws: the system's or the injected error.
  public func close(_ descriptor: Int32) throws(FileSystemError) {
    note(opened: -1)
    do throws(FileSystemError) { try prepare(.close, nil) } catch {
      try wrapped.close(descriptor)
      throw error
    }
    try wrapped.close(descriptor)
  }

  /// Sets times, or fails as asked for.
  ///
  /// - Parameters:
  ///   - descriptor: the file.
  ///   - accessed: the access time.
  ///   - modified: the modification time.
  /// - Throws: the system's or the injected error.
  public func setTimes(
    _ descriptor: Int32,
    accessed: Int64,
    modified: Int64
  ) throws(FileSystemError) {
    try prepare(.setTimes, nil)
    try wrapped.setTimes(descriptor, accessed: accessed, modified: modified)
  }

  /// Sets the access time, or fails as asked for; counted as setting times.
  ///
  /// - Parameters:
  ///   - descriptor: the file.
  ///   - accessed: the access time.
  /// - Throws: the system's or the injected error.
  public func setAccessTime(_ descriptor: Int32, _ accessed: Int64) throws(FileSystemError) {
    try prepare(.setTimes, nil)
    try wrapped.setAccessTime(descriptor, accessed)
  }

  /// Asks about an open file, or fails as asked for.
  ///
  /// - Parameter descriptor: the file.
  /// - Returns: its status.
  /// - Throws: the system's or the injected error.
  public func status(of descriptor: Int32) throws(FileSystemError) -> FileStatus {
    try prepare(.statusOfFile, nil)
    return try wrapped.status(of: descriptor)
  }

  /// Asks about a path, or fails as asked for.
  ///
  /// - Parameter path: an absolute path.
  /// - Returns: the status of what is there.
  /// - Throws: the system's or the injected error.
  public func status(at path: String) throws(FileSystemError) -> FileStatus {
    try prepare(.status, path)
    return try wrapped.status(at: path)
  }

  /// Asks about a file of an open directory, or fails as asked for; counted as any look.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - directory: the directory.
  /// - Returns: the status of what is there.
  /// - Throws: the system's or the injected error.
  public func status(
    of name: String,
    in directory: OpenDirectory
  ) throws(FileSystemError) -> FileStatus {
    try prepare(.status, directory.path + "/" + name)
    return try wrapped.status(of: name, in: directory)
  }

  /// Renames, or fails as asked for.
  ///
  /// - Parameters:
  ///   - path: the old path.
  ///   - newPath: the new path.
  /// - Throws: the system's or the injected error.
  public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try prepare(.rename, path)
    try wrapped.rename(path, to: newPath)
  }

  /// Links, or fails as asked for.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - newPath: the second one.
  /// - Throws: the system's or the injected error.
  public func link(_ path: String, to newPath: String) throws(FileSystemError) {
    try prepare(.link, path)
    try wrapped.link(path, to: newPath)
  }

  /// Removes a file, or fails as asked for.
  ///
  /// - Parameter path: the file's path.
  /// - Throws: the system's or the injected error.
  public func unlink(_ path: String) throws(FileSystemError) {
    try prepare(.unlink, path)
    try wrapped.unlink(path)
  }

  /// Renames into an open directory, or fails as asked for; counted as any renaming.
  ///
  /// - Parameters:
  ///   - path: the old path.
  ///   - name: the new name.
  ///   - directory: the directory.
  /// - Throws: the system's or the injected error.
  public func rename(
    _ path: String,
    to name: String,
    in directory: OpenDirectory
  ) throws(FileSystemError) {
    try prepare(.rename, path)
    try wrapped.rename(path, to: name, in: directory)
  }

  /// Renames out of an open directory, or fails as asked for; counted as any renaming.
  ///
  /// - Parameters:
  ///   - name: the old name.
  ///   - directory: the directory.
  ///   - newPath: the new path.
  /// - Throws: the system's or the injected error.
  public func rename(
    _ name: String,
    in directory: OpenDirectory,
    to newPath: String
  ) throws(FileSystemError) {
    try prepare(.rename, directory.path + "/" + name)
    try wrapped.rename(name, in: directory, to: newPath)
  }

  /// Links into an open directory, or fails as asked for; counted as any linking.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - name: the second name.
  ///   - directory: the directory.
  /// - Throws: the system's or the injected error.
  public func link(
    _ path: String,
    to name: String,
    in directory: OpenDirectory
  ) throws(FileSystemError) {
    try prepare(.link, path)
    try wrapped.link(path, to: name, in: directory)
  }

  /// Removes a file of an open directory, or fails as asked for; counted as any removal.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - directory: the directory.
  /// - Throws: the system's or the injected error.
  public func unlink(_ name: String, in directory: OpenDirectory) throws(FileSystemError) {
    try prepare(.unlink, directory.path + "/" + name)
    try wrapped.unlink(name, in: directory)
  }

  /// Makes a directory, or fails as asked for.
  ///
  /// - Parameter path: its path.
  /// - Throws: the system's or the injected error.
  public func makeDirectory(_ path: String) throws(FileSystemError) {
    try prepare(.makeDirectory, path)
    try wrapped.makeDirectory(path)
  }

  /// Removes a directory, or fails as asked for.
  ///
  /// - Parameter path: its path.
  /// - Throws: the system's or the injected error.
  public func removeDirectory(_ path: String) throws(FileSystemError) {
    try prepare(.removeDirectory, path)
    try wrapped.removeDirectory(path)
  }
}
