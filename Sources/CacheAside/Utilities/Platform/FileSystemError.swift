#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A call to the file system that failed, with the system's error number.
public struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which call failed.
  public let call: FileCall

  /// The system's error number, `errno`.
  public let code: Int32

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - call: which call failed.
  ///   - code: the system's error number.
  public init(_ call: FileCall, code: Int32) {
    self.call = call
    self.code = code
  }

  /// The call and the system's text for the number.
  public var description: String {
    var buffer = [CChar](repeating: 0, count: 128)
    _ = unsafe strerror_r(code, &buffer, buffer.count - 1)
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return "\(call): \(String(decoding: bytes, as: UTF8.self)) (\(code))"
  }

  /// Whether there is nothing at the path.
  var isAbsent: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether something is at the path already.
  var isPresent: Bool { code == EEXIST }

  /// Whether a directory still has entries.
  var isNotEmpty: Bool { code == ENOTEMPTY || code == EEXIST }

  /// Whether what is at the path is not a directory where one was expected.
  var isNotDirectory: Bool { code == ENOTDIR || code == ELOOP }

  /// Whether a directory is where a file was expected.
  var isDirectory: Bool { code == EISDIR }

  /// Whether the file system has no such call.
  var isUnsupported: Bool { code == ENOTSUP || code == EOPNOTSUPP }

  /// The error number of what is not there.
  static var absent: Int32 { ENOENT }

  /// The error number of a call that was overtaken too often.
  static var tryAgain: Int32 { EAGAIN }

  /// A call that a file system does not have.
  static func unsupported(_ call: FileCall) -> FileSystemError {
    FileSystemError(call, code: ENOTSUP)
  }

  /// Something that is no directory of this user's is where the store's folder should be.
  static func isForeign(_ call: FileCall) -> FileSystemError {
    FileSystemError(call, code: EPERM)
  }
}
