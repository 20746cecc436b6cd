// The C functions under other names, so that types with methods called `open` or `read` can call
// them without naming the platform's C module. `withCString` lends a path as it lies in its string; a
// string that is passed for a C string is copied first.
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

enum SystemCall {
  /// The number of this process.
  static var processIdentifier: Int32 { getpid() }

  /// `open`, retried when interrupted.
  static func openFile(
    _ path: String,
    _ flags: Int32,
    _ call: FileCall
  ) throws(FileSystemError) -> Int32 {
    while true {
      let descriptor = unsafe path.withCString { unsafe open($0, flags, 0o600) }
      if descriptor >= 0 { return descriptor }
      if errno != EINTR { throw FileSystemError(call, code: errno) }
    }
  }

  /// `write`, once.
  static func writeOnce(_ descriptor: Int32, _ base: UnsafeRawPointer, _ count: Int) -> Int {
    unsafe write(descriptor, base, count)
  }

  /// `fsync`, on Darwin down to the device.
  static func synchronizeFile(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
    // Darwin's fsync stops at the drive's cache; not every file system knows the full one.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    #endif
    return fsync(descriptor)
  }

  /// `close`.
  static func closeFile(_ descriptor: Int32) -> Int32 { close(descriptor) }

  /// `rename`.
  static func renameFile(_ path: String, _ newPath: String) -> Int32 {
    unsafe path.withCString { path in
      unsafe newPath.withCString { unsafe rename(path, $0) }
    }
  }

  /// `renameat`, whose directories may be `AT_FDCWD`.
  static func renameFile(
    _ path: String,
    in directory: Int32,
    to newPath: String,
    in newDirectory: Int32
  ) -> Int32 {
    unsafe path.withCString { path in
      unsafe newPath.withCString { unsafe renameat(directory, path, newDirectory, $0) }
    }
  }

  /// `linkat`, of a link itself.
  static func linkFile(_ path: String, to name: String, in directory: Int32) -> Int32 {
    unsafe linkat(AT_FDCWD, path, directory, name, 0)
  }

  /// `link`.
  static func linkFile(_ path: String, _ newPath: String) -> Int32 { unsafe link(path, newPath) }

  /// `unlink`.
  static func unlinkFile(_ path: String) -> Int32 {
    unsafe path.withCString { unsafe unlink($0) }
  }

  /// `unlinkat`.
  static func unlinkFile(_ name: String, in directory: Int32) -> Int32 {
    unsafe name.withCString { unsafe unlinkat(directory, $0, 0) }
  }

  /// `futimens`; a time that is not given stays.
  static func setFileTimes(_ descriptor: Int32, _ accessed: Int64, _ modified: Int64?) -> Int32 {
    let omitted = timespec(tv_sec: 0, tv_nsec: timeOmitted)
    var times = (time(accessed), modified.map(time) ?? omitted)
    return unsafe withUnsafeBytes(of: &times) { bytes in
      unsafe futimens(descriptor, bytes.assumingMemoryBound(to: timespec.self).baseAddress)
    }
  }

  /// `fstat`.
  static func fileStatus(_ descriptor: Int32) -> FileStatus? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? FileStatus(status) : nil
  }

  /// `lstat`.
  static func pathStatus(_ path: String) -> FileStatus? {
    var status = stat()
    return unsafe path.withCString { unsafe lstat($0, &status) } == 0 ? FileStatus(status) : nil
  }

  /// `fstatat`, of a link itself.
  static func pathStatus(_ name: String, in directory: Int32) -> FileStatus? {
    var status = stat()
    let outcome = unsafe name.withCString {
      unsafe fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    return outcome == 0 ? FileStatus(status) : nil
  }

  /// What is in a directory; closes the descriptor.
  static func listing(of descriptor: Int32) throws(FileSystemError) -> DirectoryListing {
    guard let directory = unsafe fdopendir(descriptor) else {
      let code = errno
      _ = close(descriptor)
      throw FileSystemError(.list, code: code)
    }
    defer { unsafe closedir(directory) }
    var listing = DirectoryListing()
    listing.reserveUsualCapacity()
    while true {
      errno = 0
      guard let entry = unsafe readdir(directory) else {
        if errno != 0 { throw FileSystemError(.list, code: errno) }
        return listing
      }
      let inode = unsafe UInt64(truncatingIfNeeded: entry.pointee.d_ino)
      let kind = unsafe kind(ofType: Int(entry.pointee.d_type))
      unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        guard let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress else {
          return
        }
        let length = unsafe strnlen(start, bytes.count)
        let name = unsafe bytes.assumingMemoryBound(to: UInt8.self)[..<length]
        // Neither "." nor "..".
        if unsafe length <= 2 && name.allSatisfy({ $0 == 0x2E }) { return }
        unsafe listing.append(UnsafeBufferPointer(rebasing: name), inode: inode, kind: kind)
      }
    }
  }

  /// What a type in a directory means; the numbers are the same on every system.
  private static func kind(ofType type: Int) -> FileStatus.Kind? {
    switch type {
    case 0: nil
    case 4: .directory
    case 8: .file
    default: .other
    }
  }

  /// `UTIME_OMIT`, a macro that is not imported everywhere.
  private static var timeOmitted: Int {
    #if canImport(Darwin)
    -2
    #else
    (1 << 30) - 2
    #endif
  }

  private static func time(_ microseconds: Int64) -> timespec {
    var seconds = microseconds / 1_000_000
    var rest = microseconds % 1_000_000
    if rest < 0 {
      seconds -= 1
      rest += 1_000_000
    }
    return timespec(tv_sec: time_t(seconds), tv_nsec: Int(rest * 1_000))
  }
}

extension FileStatus {
  fileprivate init(_ status: stat) {
    #if canImport(Darwin)
    let (accessed, modified, changed) =
      (status.st_atimespec, status.st_mtimespec, status.st_ctimespec)
    #else
    let (accessed, modified, changed) = (status.st_atim, status.st_mtim, status.st_ctim)
    #endif
    let format = status.st_mode & S_IFMT
    self.init(
      kind: format == S_IFREG ? .file : format == S_IFDIR ? .directory : .other,
      size: Int(status.st_size),
      owner: status.st_uid,
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino),
      accessed: Int64(accessed.tv_sec) &* 1_000_000 &+ Int64(accessed.tv_nsec) / 1_000,
      modified: Int64(modified.tv_sec) &* 1_000_000 &+ Int64(modified.tv_nsec) / 1_000,
      changed: Int64(changed.tv_sec) &* 1_000_000_000 &+ Int64(changed.tv_nsec)
    )
  }
}
