/// An open directory and its path: a call for a file in it need not walk the path again.
public struct OpenDirectory: Hashable, Sendable {
  /// Where it was when it was opened.
  public var path: String
  /// Its descriptor, from ``FileSystem/open(_:)``.
  public var descriptor: Int32

  /// Makes a pair of both.
  ///
  /// - Parameters:
  ///   - path: where it was when it was opened.
  ///   - descriptor: its descriptor.
  public init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }
}
