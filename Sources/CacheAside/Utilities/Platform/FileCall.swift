/// One kind of call to the file system, for errors and for counting.
public struct FileCall: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The call's name, as in the manual of the system.
  public let rawValue: String

  /// Makes a kind from its name.
  ///
  /// - Parameter rawValue: the call's name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The call's name.
  public var description: String { rawValue }

  /// Opening a file for reading.
  public static let open = FileCall(rawValue: "open")
  /// Creating a file.
  public static let create = FileCall(rawValue: "create")
  /// Opening a file to append to it.
  public static let append = FileCall(rawValue: "append")
  /// Reading bytes.
  public static let read = FileCall(rawValue: "read")
  /// Writing bytes.
  public static let write = FileCall(rawValue: "write")
  /// Forcing a file to the device.
  public static let synchronize = FileCall(rawValue: "fsync")
  /// Closing a file.
  public static let close = FileCall(rawValue: "close")
  /// Setting the times of an open file.
  public static let setTimes = FileCall(rawValue: "futimens")
  /// Asking about an open file.
  public static let statusOfFile = FileCall(rawValue: "fstat")
  /// Asking about a path.
  public static let status = FileCall(rawValue: "lstat")
  /// Renaming.
  public static let rename = FileCall(rawValue: "rename")
  /// Giving a file a second name.
  public static let link = FileCall(rawValue: "link")
  /// Removing a file's name.
  public static let unlink = FileCall(rawValue: "unlink")
  /// Making a directory.
  public static let makeDirectory = FileCall(rawValue: "mkdir")
  /// Removing an empty directory.
  public static let removeDirectory = FileCall(rawValue: "rmdir")
  /// Listing a directory.
  public static let list = FileCall(rawValue: "readdir")
}
