// Knowing the files of a shard without asking about each.
//
// What: `<shard>/index` holds what was once learned about the shard's files (see DiskNote), and the
// notes of this process what it wrote since (see DiskIndex). A survey lists the shard, which costs a
// few calls however many files there are, and gives every file the note of its name and inode; only
// a file without one is asked about. Expiry, eviction and counting stand on surveys.
//
// Invariants: the index is a hint. The listing says which files there are; a record that was put in
// place by anybody, copied or restored is another inode, so no note of it is found; before a file
// is removed, its header or status is read (see DiskStore+NotedRemoval). What is left, an inode number that came back under the
// same name, is met by two looks in every shard and sweep and by forgetting an index after a day. An
// index is written whole under another name and renamed, by each process for itself, and the last
// one wins: nothing is lost but a few looks. One that is missing, torn, of a strange length or kind
// is as good as none, and is replaced when a quarter of the shard is new, or as much as is noted in
// memory; what was noted and is gone again does not count. A shard of less than 32 files has none. Nothing is written to it by a read or a write of an entry.
extension DiskStore {
  /// From how many files on an index is worth its file.
  private static let fewestNotes = 32

  /// Lists a shard with what is known about its files; counts it, too, if it was or is to be.
  ///
  /// With `verifying` every file is looked at, so that one which another program changed in its place is
  /// counted and judged as it is.
  func survey(
    _ index: Int,
    isThere: Bool = true,
    counting: Bool = false,
    verifying: Bool = false
  ) throws(FileSystemError) -> DiskSurvey {
    try totals.withShard(index) { shard throws(FileSystemError) in
      var survey = DiskSurvey(shard: index)
      let folder = layout.folder(ofShard: index)
      if isThere { survey.listing = try listing(of: folder) }
      let count = survey.listing.count
      let index = (0..<count).first { survey.listing.isNamed(DiskLayout.indexName, at: $0) }
      survey.hasIndex = index != nil
      let notes = notes(for: &survey)
      var open: OpenShard?
      defer { close(&open) }
      let opened = verifying ? try directory(ofShard: survey.shard, &open) : nil
      var found = DiskTotals.Shard(bytes: 0, entries: 0, isKnown: true)
      survey.files.reserveCapacity(count)
      for entry in 0..<count where entry != index {
        var note = notes.note(of: survey.listing, at: entry)
        if let known = note, let opened {
          let name = survey.listing.name(at: entry)
          let current = try statusIfPresent(name, in: opened.directory)
          if current.map(known.describes) != true { note = nil }
        }
        if note == nil { note = try learnedNote(of: entry, in: folder, &survey) }
        guard let note else { continue }
        survey.files.append(DiskSurvey.File(entry: entry, note: note))
        found.bytes += note.size
        found.entries += 1
      }
      if counting || shard.isKnown {
        found.names = DiskNameFilter(survey.files.lazy.map(\.note.name))
        shard = found
      }
      return survey
    }
  }

  /// Writes the index of a shard when enough is known that it does not say.
  func saveIndex(_ survey: DiskSurvey) {
    do throws(FileSystemError) {
      diskIndex.add(survey.learned, in: survey.shard, at: time.wall)
      guard survey.files.count >= Self.fewestNotes else {
        if survey.hasIndex {
          _ = try inShard(survey.shard) { folder throws(FileSystemError) in
            try unlinkIfPresent(DiskLayout.indexName, in: folder)
          }
        }
        return
      }
      let least = min(DiskIndex.mostNotes, max(Self.fewestNotes, survey.noted / 4))
      guard diskIndex.count(in: survey.shard) >= least else { return }
      var notes = DiskNoteTable(survey.left)
      let unsaved = diskIndex.take(atLeast: least, in: survey.shard) { note in
        notes[note.name]?.inode == note.inode
      }
      guard let unsaved else { return }
      notes.add(unsaved.notes)
      guard DiskIndexFile.admits(notes: notes.notes.count, ofFiles: survey.listing.count) else {
        return
      }
      let made = min(survey.made ?? .max, unsaved.since)
      try write(DiskIndexFile(made: made, notes: notes.notes), in: survey.shard)
    } catch {
      // It is only a hint; on a read-only volume it is simply not kept.
    }
  }

  /// Asks about a file.
  private func learnedNote(
    of entry: Int,
    in folder: String,
    _ survey: inout DiskSurvey
  ) throws(FileSystemError) -> DiskNote? {
    let name = survey.listing.name(at: entry)
    guard let status = try statusIfPresent(folder + "/" + name) else { return nil }
    switch status.kind {
    case .directory:
      return nil
    case .other:
      survey.intruders.append(name)
      return nil
    case .file:
      let note = DiskNote(name, status)
      survey.learned.append(note)
      return note
    }
  }

  /// All notes on a shard's files by the checksum of their names, the latest of each.
  private func notes(for survey: inout DiskSurvey) -> DiskNoteTable {
    let now = time.wall
    let count = survey.listing.count
    let unsaved = diskIndex.notes(in: survey.shard, at: now).notes
    var known: [DiskNote] = []
    if survey.hasIndex, let saved = readIndex(of: survey, room: unsaved.count),
      DiskIndex.believes(saved.made, at: now)
    {
      survey.made = saved.made
      survey.noted = saved.notes.count
      known = saved.notes
    }
    var notes = DiskNoteTable(consume known, capacity: count)
    notes.add(unsaved)
    return notes
  }

  private func readIndex(of survey: DiskSurvey, room: Int) -> DiskIndexFile? {
    do throws(FileSystemError) {
      let descriptor = try files.open(layout.indexPath(ofShard: survey.shard))
      defer { closeReported(descriptor) }
      let status = try files.status(of: descriptor)
      // Whoever wrote more than that did not write an index of these files.
      let notes = status.size / DiskIndexFile.noteSize
      guard status.kind == .file,
        DiskIndexFile.admits(notes: notes, ofFiles: survey.listing.count)
      else { return nil }
      return DiskIndexFile(try files.read(descriptor, at: 0, count: status.size), room: room)
    } catch {
      return nil
    }
  }

  private func write(_ index: DiskIndexFile, in shard: Int) throws(FileSystemError) {
    let temporary = layout.temporaryPath()
    let descriptor = try files.create(temporary, protection)
    do throws(FileSystemError) {
      do throws(FileSystemError) { try files.write(descriptor, index.bytes) } catch {
        try files.close(descriptor)
        throw error
      }
      try files.close(descriptor)
      let place = DiskLayout.Place(
        shard: shard,
        name: DiskLayout.indexName,
        path: layout.indexPath(ofShard: shard)
      )
      if try !moveIfPresent(temporary, to: place) { _ = try unlinkIfPresent(temporary) }
    } catch {
      _ = try unlinkIfPresent(temporary)
      throw error
    }
  }
}
