// The system's own calls. `EINTR` is retried (but not for `close`, whose descriptor is gone on every
// system we run on), short writes are continued, descriptors do not pass to child processes, and
// symbolic links are not followed.
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The file system of the operating system.
public struct POSIXFileSystem: FileSystem {
  /// Makes the file system.
  public init() {}

  /// The effective user of the process.
  public var user: UInt32 { geteuid() }

  /// Opens a file for reading with `open`; on Linux without touching its access time.
  ///
  /// - Parameter path: an absolute path.
  /// - Returns: a descriptor to be closed.
  /// - Throws: the system's error.
  public func open(_ path: String) throws(FileSystemError) -> Int32 {
    // Non-blocking, so that a pipe in the way cannot hang the thread; files do not care.
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    #if os(Linux) || os(Android)
    // With the modification time in the future, "relatime" would write the inode on every read.
    let withoutAccessTime: Int32 = 0o1000000
    do throws(FileSystemError) {
      return try SystemCall.openFile(path, flags | withoutAccessTime, .open)
    } catch {
      guard error.code == EPERM else { throw error }
    }
    #endif
    return try SystemCall.openFile(path, flags, .open)
  }

  /// Creates a file with `open`, mode 0600.
  ///
  /// - Parameters:
  ///   - path: an absolute path at which nothing exists.
  ///   - protection: the protection class, on Apple platforms.
  /// - Returns: a descriptor to be closed.
  /// - Throws: the system's error.
  public func create(
    _ path: String,
    _ protection: FileProtection
  ) throws(FileSystemError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let descriptor = try SystemCall.openFile(path, flags, .create)
    #if canImport(Darwin)
    let outcome = fcntl(descriptor, F_SETPROTECTIONCLASS, protection.protectionClass)
    // Volumes without protection classes, as on most Macs, say so; that is no failure.
    if outcome == -1, errno != ENOTSUP, errno != EINVAL, errno != ENOTTY {
      let code = errno
      _ = SystemCall.closeFile(descriptor)
      _ = SystemCall.unlinkFile(path)
      throw FileSystemError(.create, code: code)
    }
    #endif
    return descriptor
  }

  /// Opens a file for writing at its end with `open`.
  ///
  /// - Parameter path: an absolute path at which a file exists.
  /// - Returns: a descriptor to be closed.
  /// - Throws: the system's error.
  public func openToAppend(_ path: String) throws(FileSystemError) -> Int32 {
    let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    return try SystemCall.openFile(path, flags, .append)
  }

  /// Reads with `pread`.
  ///
  /// - Parameters:
  ///   - descriptor: an open file.
  ///   - offset: where to begin.
  ///   - count: how many bytes at most.
  /// - Returns: the bytes.
  /// - Throws: the system's error.
  public func read(
    _ descriptor: Int32,
    at offset: Int,
    count: Int
  ) throws(FileSystemError) -> [UInt8] {
    guard count > 0 else { return [] }
    var failure: FileSystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      guard let base = buffer.baseAddress else { return }
      while filled < count {
        let got = unsafe pread(descriptor, base + filled, count - filled, off_t(offset + filled))
        if got > 0 {
          filled += got
        } else if got == 0 {
          return
        } else if errno != EINTR {
          failure = FileSystemError(.read, code: errno)
          return
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes with `write`, until all is written.
  ///
  /// - Parameters:
  ///   - descriptor: a file made by ``create(_:_:)``.
  ///   - bytes: what to write.
  /// - Throws: the system's error.
  public func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(FileSystemError) {
    let failure: FileSystemError? = unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return nil }
      var done = 0
      while done < buffer.count {
        let count = unsafe SystemCall.writeOnce(descriptor, base + done, buffer.count - done)
        if count >= 0 {
          done += count
        } else if errno != EINTR {
          return FileSystemError(.write, code: errno)
        }
      }
      return nil
    }
    if let failure { throw failure }
  }
}
