extension DiskStore {
  /// Makes the store's folder and the one for temporary files, after one of them was missing.
  func makeFolders() throws(FileSystemError) {
    try makeRoot()
    try makeDirectory(layout.temporaryFolder)
    // Whoever removed them removed the entries too: what was counted is no longer there.
    try totals.forget()
  }

  /// Makes a directory unless it exists; what exists must be a directory of this user's.
  ///
  /// - Returns: whether it was made now.
  @discardableResult
  func makeDirectory(_ path: String) throws(FileSystemError) -> Bool {
    do throws(FileSystemError) {
      try files.makeDirectory(path)
      return true
    } catch {
      guard error.isPresent else { throw error }
    }
    guard let status = try statusIfPresent(path) else { return false }
    if status.kind != .directory {
      // A link in the place of a folder of ours leads elsewhere, and a file is in the way.
      guard path != layout.root else { throw .isForeign(.makeDirectory) }
      _ = try unlinkIfPresent(path)
      try files.makeDirectory(path)
      return true
    }
    guard status.owner == files.user else {
      throw .isForeign(.makeDirectory)
    }
    return false
  }

  /// Does something in the folder of a shard; `nil` when there is none.
  ///
  /// It is open meanwhile, and a link in its place is not followed, so that what is done is done in the
  /// store whatever becomes of the path.
  func inShard<Output>(
    _ shard: Int,
    _ body: (OpenDirectory) throws(FileSystemError) -> Output
  ) throws(FileSystemError) -> Output? {
    let path = layout.folder(ofShard: shard)
    let descriptor: Int32
    do throws(FileSystemError) { descriptor = try files.open(path) } catch {
      guard error.isAbsent || error.isNotDirectory else { throw error }
      return nil
    }
    let output: Output
    do throws(FileSystemError) {
      output = try body(OpenDirectory(path: path, descriptor: descriptor))
    } catch {
      closeReported(descriptor)
      throw error
    }
    try files.close(descriptor)
    return output
  }

  /// Removes links in the place of the folders beside the shards, which a call for a file in them would follow.
  func removeLinks() {
    for path in [layout.temporaryFolder, layout.asideFolder] {
      do throws(FileSystemError) {
        if try statusIfPresent(path)?.kind == .other { _ = try unlinkIfPresent(path) }
      } catch {
        report(.removalFailed, nil, error)
      }
    }
  }

  /// Waits until the names in a folder have reached the device, when the durability asks for it.
  func synchronizeFolder(_ path: @autoclosure () -> String) throws(FileSystemError) {
    guard durability == .power else { return }
    let descriptor = try files.open(path())
    do throws(FileSystemError) { try files.synchronize(descriptor) } catch {
      try files.close(descriptor)
      throw error
    }
    try files.close(descriptor)
  }

  private func makeRoot() throws(FileSystemError) {
    do throws(FileSystemError) {
      try makeDirectory(layout.root)
    } catch {
      guard error.isAbsent else { throw error }
      try makeParents(of: layout.root)
      try makeDirectory(layout.root)
    }
    if excludesFromBackup { StandardFolder.excludeFromBackup(layout.root) }
  }

  private func makeParents(of path: String) throws(FileSystemError) {
    let parts = path.split(separator: "/").dropLast()
    var parent = ""
    for part in parts {
      parent += "/" + part
      do throws(FileSystemError) { try files.makeDirectory(parent) } catch {
        // A parent may be another user's, a link, or on a read-only volume, as long as it is there.
        guard try statusIfPresent(parent) != nil else { throw error }
      }
    }
  }
}
