public import CacheAside

extension FaultInjectingFileSystem {
  /// Lists, or fails as asked for.
  ///
  /// - Parameter path: its path.
  /// - Returns: the names in it.
  /// - Throws: the system's or the injected error.
  public func list(_ path: String) throws(FileSystemError) -> [String] {
    try prepare(.list, path)
    return try wrapped.list(path)
  }

  /// Lists with the numbers of the files, or fails as asked for; counted as a listing.
  ///
  /// - Parameter path: its path.
  /// - Returns: its entries.
  /// - Throws: the system's or the injected error.
  public func entries(of path: String) throws(FileSystemError) -> [DirectoryEntry] {
    try prepare(.list, path)
    return try wrapped.entries(of: path)
  }

  /// Lists into one block of memory, or fails as asked for; counted as a listing.
  ///
  /// - Parameter path: its path.
  /// - Returns: its entries.
  /// - Throws: the system's or the injected error.
  public func listing(of path: String) throws(FileSystemError) -> DirectoryListing {
    try prepare(.list, path)
    return try wrapped.listing(of: path)
  }
}
