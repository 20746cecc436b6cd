import CacheAside

/// A file system that lists names and nothing else, as a simple one of a client's own.
struct PlainFileSystem: FileSystem {
  let base: any FileSystem

  var user: UInt32 { base.user }

  func open(_ path: String) throws(FileSystemError) -> Int32 { try base.open(path) }

  func create(
    _ path: String,
    _ protection: FileProtection
  ) throws(FileSystemError) -> Int32 {
    try base.create(path, protection)
  }

  func read(
    _ descriptor: Int32,
    at offset: Int,
    count: Int
  ) throws(FileSystemError) -> [UInt8] {
    try base.read(descriptor, at: offset, count: count)
  }

  func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(FileSystemError) {
    try base.write(descriptor, bytes)
  }

  func synchronize(_ descriptor: Int32) throws(FileSystemError) {
    try base.synchronize(descriptor)
  }

  func close(_ descriptor: Int32) throws(FileSystemError) { try base.close(descriptor) }

  func setTimes(
    _ descriptor: Int32,
    accessed: Int64,
    modified: Int64
  ) throws(FileSystemError) {
    try base.setTimes(descriptor, accessed: accessed, modified: modified)
  }

  func status(of descriptor: Int32) throws(FileSystemError) -> FileStatus {
    try base.status(of: descriptor)
  }

  func status(at path: String) throws(FileSystemError) -> FileStatus {
    try base.status(at: path)
  }

  func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try base.rename(path, to: newPath)
  }

  func link(_ path: String, to newPath: String) throws(FileSystemError) {
    try base.link(path, to: newPath)
  }

  func unlink(_ path: String) throws(FileSystemError) { try base.unlink(path) }

  func makeDirectory(_ path: String) throws(FileSystemError) { try base.makeDirectory(path) }

  func removeDirectory(_ path: String) throws(FileSystemError) {
    try base.removeDirectory(path)
  }

  func list(_ path: String) throws(FileSystemError) -> [String] { try base.list(path) }
}
