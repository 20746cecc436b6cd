// Removing a record only if it is the one that was judged, without locks between processes.
//
// The judge keeps the file open, so that its inode cannot be given to another file. Then, in the
// critical section of the shard: (1) lstat: another inode was put there since, leave it; (2) rename
// it to `tmp/<name>.taken`, which takes exactly one file out, whichever it is; (3) lstat again: the
// judged one is deleted or set aside; another one, which a process wrote between 1 and 2, gets its
// name back by link, unless an even newer one has it already; then its second name is removed.
// Somebody else may be giving the judged one its name back, so (1) to (3) are repeated while it has
// it; while a file has both names, the rename does nothing and succeeds.
// Between 2 and 3 a record is in no shard. So that the link undoes no removal by another process,
// every explicit removal, a successful one too, then removes `<name>.taken`, and then the name once
// more; expiry and eviction do so only for names that are in transit.
extension DiskStore {
  /// Removes what was judged, if it still has its name.
  ///
  /// - Returns: whether it was removed.
  func takeOut(
    _ place: DiskLayout.Place,
    _ judged: FileStatus,
    settingAside: Bool
  ) throws(FileSystemError) -> Bool {
    try totals.withShard(place.shard) { shard throws(FileSystemError) in
      let isRemoved = try inShard(place.shard) { folder throws(FileSystemError) in
        try takeOut(place, of: folder, judged, settingAside: settingAside)
      }
      if isRemoved == true { shard.change(from: judged, to: nil) }
      return isRemoved ?? false
    }
  }

  private func takeOut(
    _ place: DiskLayout.Place,
    of folder: OpenDirectory,
    _ judged: FileStatus,
    settingAside: Bool
  ) throws(FileSystemError) -> Bool {
    let transit = layout.transit(place)
    var isRemoved = false
    while let current = try statusIfPresent(place.name, in: folder),
      current.isSameFile(as: judged)
    {
      do throws(FileSystemError) { try files.rename(place.name, in: folder, to: transit) } catch {
        guard error.isAbsent else { throw error }
        break
      }
      guard let taken = try statusIfPresent(transit) else { break }
      guard taken.isSameFile(as: judged) else {
        try putBack(transit, to: place.name, in: folder)
        break
      }
      let isMine =
        settingAside && !isRemoved
        ? try setAside(transit, place) : try unlinkIfPresent(transit)
      isRemoved = isRemoved || isMine
    }
    return isRemoved
  }

  /// Removes a file's name and what another process may be about to give it back.
  ///
  /// Called within the shard's critical section.
  func unlinkEverywhere(
    _ place: DiskLayout.Place,
    in folder: OpenDirectory
  ) throws(FileSystemError) {
    _ = try unlinkIfPresent(place.name, in: folder)
    _ = try unlinkIfPresent(layout.transit(place))
    _ = try unlinkIfPresent(place.name, in: folder)
  }

  /// Removes a damaged record, or sets it aside, and reports it.
  func discard(
    _ place: DiskLayout.Place,
    _ judged: FileStatus,
    because error: any Error,
    _ key: CacheKey?
  ) {
    do throws(FileSystemError) {
      _ = try takeOut(place, judged, settingAside: isPermanent)
    } catch {
      report(.removalFailed, key, error)
    }
    report(.recordDamaged, key, error)
  }

  /// Removes a link, pipe or socket that is in the place of a record; a link's target is not touched.
  func discardIntruder(_ place: DiskLayout.Place, _ key: CacheKey?) {
    do throws(FileSystemError) {
      try totals.withShard(place.shard) { _ throws(FileSystemError) in
        _ = try inShard(place.shard) { folder throws(FileSystemError) in
          guard try statusIfPresent(place.name, in: folder)?.kind == .other else { return }
          _ = try unlinkIfPresent(place.name, in: folder)
        }
      }
    } catch {
      report(.removalFailed, key, error)
    }
    report(.recordDamaged, key, EnvelopeError.intruder)
  }

  private func putBack(
    _ transit: String,
    to name: String,
    in folder: OpenDirectory
  ) throws(FileSystemError) {
    do throws(FileSystemError) {
      try files.link(transit, to: name, in: folder)
    } catch {
      guard error.isPresent || error.isAbsent else { throw error }
    }
    _ = try unlinkIfPresent(transit)
  }

  private func setAside(
    _ transit: String,
    _ place: DiskLayout.Place
  ) throws(FileSystemError) -> Bool {
    let path = "\(layout.asideFolder)/\(place.name)-\(time.wall)"
    do throws(FileSystemError) {
      try files.rename(transit, to: path)
      return true
    } catch {
      guard error.isAbsent else { throw error }
    }
    try makeDirectory(layout.asideFolder)
    return try renameIfPresent(transit, to: path)
  }

  /// The status of a path, or `nil` when nothing is there.
  func statusIfPresent(_ path: String) throws(FileSystemError) -> FileStatus? {
    do throws(FileSystemError) { return try files.status(at: path) } catch {
      guard error.isAbsent else { throw error }
      return nil
    }
  }

  /// What has a name in an open folder, if anything.
  func statusIfPresent(
    _ name: String,
    in folder: OpenDirectory
  ) throws(FileSystemError) -> FileStatus? {
    do throws(FileSystemError) { return try files.status(of: name, in: folder) } catch {
      guard error.isAbsent else { throw error }
      return nil
    }
  }

  /// Removes a file of an open folder; `false` when there was none, but perhaps a directory.
  func unlinkIfPresent(
    _ name: String,
    in folder: OpenDirectory
  ) throws(FileSystemError) -> Bool {
    do throws(FileSystemError) { try files.unlink(name, in: folder) } catch {
      guard error.isAbsent || error.isDirectory else { throw error }
      return false
    }
    return true
  }

  /// Renames; `false` when there was nothing to rename.
  func renameIfPresent(_ path: String, to newPath: String) throws(FileSystemError) -> Bool {
    do throws(FileSystemError) { try files.rename(path, to: newPath) } catch {
      guard error.isAbsent else { throw error }
      return false
    }
    return true
  }

  /// Removes a file; `false` when there was none, but perhaps a directory.
  func unlinkIfPresent(_ path: String) throws(FileSystemError) -> Bool {
    do throws(FileSystemError) { try files.unlink(path) } catch {
      guard error.isAbsent || error.isDirectory else { throw error }
      return false
    }
    return true
  }
}
