/// What the file system knows about a file, without following symbolic links.
public struct FileStatus: Hashable, Sendable {
  /// What is at a path.
  public enum Kind: Hashable, Sendable {
    /// A regular file.
    case file
    /// A directory.
    case directory
    /// A symbolic link, a device, a pipe or a socket.
    case other
  }

  /// What it is.
  public var kind: Kind
  /// The length in bytes.
  public var size: Int
  /// The user that owns it.
  public var owner: UInt32
  /// The device it is on.
  public var device: UInt64
  /// Its number on that device.
  public var inode: UInt64
  /// The access time, in microseconds since 1970.
  public var accessed: Int64
  /// The modification time, in microseconds since 1970.
  public var modified: Int64
  /// When the file's own record last changed, in nanoseconds since 1970; cannot be set.
  public var changed: Int64

  /// Makes a status.
  ///
  /// - Parameters:
  ///   - kind: what it is.
  ///   - size: the length in bytes.
  ///   - owner: the user that owns it.
  ///   - device: the device it is on.
  ///   - inode: its number on that device.
  ///   - accessed: the access time, in microseconds since 1970.
  ///   - modified: the modification time, in microseconds since 1970.
  ///   - changed: when its own record last changed, in nanoseconds since 1970.
  public init(
    kind: Kind,
    size: Int,
    owner: UInt32,
    device: UInt64,
    inode: UInt64,
    accessed: Int64,
    modified: Int64,
    changed: Int64
  ) {
    self.kind = kind
    self.size = size
    self.owner = owner
    self.device = device
    self.inode = inode
    self.accessed = accessed
    self.modified = modified
    self.changed = changed
  }

  /// Whether both are the same file; reliable while one of them is held open.
  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}
