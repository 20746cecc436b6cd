// Removing a record by what was noted of it, without opening it.
//
// An expired or evicted record is removed by one look and one `unlink` in the critical section of
// its shard. Expiry asks that the file's number, size and time of change (in nanoseconds) be those of
// the note, which was made after the record had got its name: a rename, a second name, new times and
// a write all change the third, so what anybody replaced, restored or touched is judged by its header
// instead (DiskStore+Sweep), and so is a record of which no lifetime is noted. Eviction judges no
// content, and asks for the number and the time of use only.
// What is left: a record that another process renames into place between the two calls, or one of the
// same size that got the number of the noted one within the same tick of the file system's clock, is
// lost; and where two more processes write and remove one key within those microseconds, an older value
// of it may be what stays. A permanent store may not lose a value, so it removes by header and with
// compare-and-delete, as every store removes what is damaged.
//
// Such a removal promises nothing, so it needs no care for a record that is put back after it
// (DiskStore+CompareAndDelete), unless an older value would come back in the place of a newer one: one
// that is in transit while the newer one is written and removed. Whatever is in transit so long is in
// `tmp` when that is listed between the survey and the removals; those names, hardly ever any, are
// removed as by an explicit removal. What that cannot see is two other processes at work
// between our two calls: one takes the evicted record out by mistake, one writes a newer one, which we
// remove, and the first puts the evicted one back. (An expired one that comes back is still expired.)
//
// A pass keeps the folder of the shard open in which it removes, since walking the path twice for
// every file costs as much as the look; it never keeps more than one open.
extension DiskStore {
  /// The folder in which a pass removes.
  struct OpenShard: Sendable {
    let shard: Int
    let directory: OpenDirectory
  }

  /// Removes a record of a survey that is to go as far as its note says.
  ///
  /// - Returns: whether it was removed; its header may say otherwise.
  func removeIfDue(
    _ file: DiskSurvey.File,
    by due: DiskNote.Due,
    _ survey: inout DiskSurvey,
    _ open: inout OpenShard?
  ) throws(FileSystemError) -> Bool {
    if file.note.hasLifetime, !isPermanent, file.note.isDue(by: due) {
      let inTransit = try placesInTransit(since: &survey)
      let name = survey.name(of: file)
      if let directory = try directory(ofShard: survey.shard, &open) {
        let isRemoved = try totals.withShard(survey.shard) { shard throws(FileSystemError) in
          guard let current = try statusIfPresent(name, in: directory.directory),
            file.note.describes(current)
          else { return nil as Bool? }
          return try unlinkNoted(name, in: directory, current, inTransit, &shard)
        }
        if let isRemoved { return isRemoved }
      }
    }
    let place = layout.place(named: survey.name(of: file), in: survey.shard)
    return try removeIfExpired(place, by: due, &survey.learned)
  }

  /// What is in transit now, or was when this was asked first after a survey.
  private func placesInTransit(
    since survey: inout DiskSurvey
  ) throws(FileSystemError) -> Set<DiskLayout.Place> {
    if let known = survey.inTransit { return known }
    let places = Set(try placesInTransit())
    survey.inTransit = places
    return places
  }

  /// Removes a file of a shard that was looked at a moment ago; called within the critical section
  /// of the shard.
  ///
  /// - Returns: whether it was there still; either way it is gone.
  @discardableResult
  func unlinkNoted(
    _ name: String,
    in directory: OpenShard,
    _ current: FileStatus,
    _ inTransit: Set<DiskLayout.Place>,
    _ shard: inout DiskTotals.Shard
  ) throws(FileSystemError) -> Bool {
    let wasThere = try unlinkIfPresent(name, in: directory.directory)
    if !inTransit.isEmpty {
      let place = layout.place(named: name, in: directory.shard)
      if inTransit.contains(place) { try unlinkEverywhere(place, in: directory.directory) }
    }
    shard.change(from: current, to: nil)
    return wasThere
  }

  /// The folder of a shard, opened unless it is open from the last removal; `nil` when it vanished.
  func directory(
    ofShard shard: Int,
    _ open: inout OpenShard?
  ) throws(FileSystemError) -> OpenShard? {
    if let open, open.shard == shard { return open }
    close(&open)
    let path = layout.folder(ofShard: shard)
    do throws(FileSystemError) {
      let directory = OpenDirectory(path: path, descriptor: try files.open(path))
      open = OpenShard(shard: shard, directory: directory)
    } catch {
      guard error.isAbsent else { throw error }
    }
    return open
  }

  /// Closes the folder that was used last.
  func close(_ open: inout OpenShard?) {
    if let last = open.take() { closeReported(last.directory.descriptor) }
  }
}
