/// What a directory says about one of its files: the name, and which file has it.
public struct DirectoryEntry: Hashable, Sendable {
  /// The name in the directory.
  public var name: String
  /// The file's number on the directory's device.
  public var inode: UInt64
  /// What it is; `nil` where the directory does not say.
  public var kind: FileStatus.Kind?

  /// Makes an entry.
  ///
  /// - Parameters:
  ///   - name: the name in the directory.
  ///   - inode: the file's number on the directory's device.
  ///   - kind: what it is; `nil` where the directory does not say.
  public init(name: String, inode: UInt64, kind: FileStatus.Kind? = nil) {
    self.name = name
    self.inode = inode
    self.kind = kind
  }
}
