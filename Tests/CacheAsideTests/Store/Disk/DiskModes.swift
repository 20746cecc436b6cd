#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What the tests ask the system that the store never does.
enum DiskModes {
  struct Failure: Error {}

  /// The permission bits of a path.
  static func mode(of path: String) throws -> UInt32 {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw Failure() }
    return UInt32(status.st_mode) & 0o777
  }

  /// Makes a symbolic link.
  static func link(_ path: String, to target: String) throws {
    guard unsafe symlink(target, path) == 0 else { throw Failure() }
  }

  #if os(Linux)
  /// Puts a pipe or a socket in the place of a file.
  static func replace(_ path: String, byPipe isPipe: Bool) throws {
    guard unsafe unlink(path) == 0 else { throw Failure() }
    guard unsafe mknod(path, (isPipe ? S_IFIFO : S_IFSOCK) | 0o600, 0) == 0 else { throw Failure() }
  }
  #endif

  /// Gives a path to another user; only the superuser can.
  static func giveAway(_ path: String) -> Bool { unsafe chown(path, 12_345, 12_345) == 0 }

  /// Says why a test that needs another user's file shows nothing.
  static func printSkip(_ test: String = #function) {
    print("skipped: \(test): only the superuser can give a file to another user")
  }

  /// Lets local time be that of a place.
  static func setTimeZone(_ name: String) {
    unsafe setenv("TZ", name, 1)
    tzset()
  }
}
