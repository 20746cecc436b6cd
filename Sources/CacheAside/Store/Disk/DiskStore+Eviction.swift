// Holding the limit on disk.
//
// What: after a write that exceeds the limit, one pass over the notes on all files (see
// DiskStore+Index) removes what is kept no longer, then the entries with the oldest access times,
// until 80 % of the limit is left. The access time is looked at once more before. An access
// time is set by every write, and by a read when it is older than ten minutes; the last uses in this
// process are known exactly (see DiskUses); equal ones are told apart by when the file's own record last
// changed. Invariants: one thread evicts at a time and the
// others that exceed the limit wait for it, so the total stays below the limit plus one record per
// writing thread; the entry just written stays. The pass lists the folders, costs one look and one
// unlink for each entry that it removes (see DiskStore+NotedRemoval), one lstat for each that nothing
// is known of, and comes once per fifth of the limit that is written.
import Synchronization

extension DiskStore {
  /// Evicts when the limit is exceeded; a failure is reported, since the write itself succeeded.
  func holdLimit(keeping place: DiskLayout.Place) {
    guard limit.needsTotals else { return }
    do throws(FileSystemError) { try countUnknown() } catch {
      return report(.removalFailed, nil, error)
    }
    guard !isWithinLimit() else { return }
    // An observer may use the store, so nothing is reported under the gate.
    HeldReports.hold {
      do throws(FileSystemError) {
        try evictionGate.withLock { _ throws(FileSystemError) in
          guard !isWithinLimit() else { return }
          try evict(keeping: place)
        }
      } catch {
        report(.removalFailed, nil, error)
      }
    }
  }

  private func isWithinLimit(percent: Int = 100) -> Bool {
    limit.holds(bytes: totals.bytes, entries: totals.entries, percent: percent)
  }

  private func evict(keeping kept: DiskLayout.Place) throws(FileSystemError) {
    var (surveys, candidates) = try candidates(keeping: kept)
    let inTransit = Set(try placesInTransit())
    var open: OpenShard?
    defer { close(&open) }
    // Whoever was used since it was noted gets its turn after those who were not.
    for isSecondTurn in [false, true] {
      var used: [DiskCandidates.Candidate] = []
      while !isWithinLimit(percent: 80) {
        let victims = victims(of: &candidates, surveys)
        if victims.isEmpty { break }
        for victim in victims {
          if isWithinLimit(percent: 80) { return }
          let spared = try remove(victim, &surveys, inTransit, evenIfUsed: isSecondTurn, &open)
          if let spared { used.append(spared) }
        }
      }
      candidates = DiskCandidates(used)
    }
  }

  /// The oldest candidates, as many as have to go, as far as is known, until 80 % of the limit is left.
  ///
  /// They come folder by folder, which spares the file system much searching.
  private func victims(
    of candidates: inout DiskCandidates,
    _ surveys: [DiskSurvey]
  ) -> [DiskCandidates.Candidate] {
    var (bytes, entries) = (totals.bytes, totals.entries)
    var victims: [DiskCandidates.Candidate] = []
    while !limit.holds(bytes: bytes, entries: entries, percent: 80),
      let next = candidates.popOldest()
    {
      bytes -= surveys[next.survey].files[next.file].note.size
      entries -= 1
      victims.append(next)
    }
    return victims.sorted { $0.survey < $1.survey }
  }

  /// Removes what is kept no longer; the rest may be evicted.
  private func candidates(
    keeping kept: DiskLayout.Place
  ) throws(FileSystemError) -> ([DiskSurvey], DiskCandidates) {
    var surveys: [DiskSurvey] = []
    var candidates: [DiskCandidates.Candidate] = []
    candidates.reserveCapacity(totals.entries)
    let due = due()
    var open: OpenShard?
    defer { close(&open) }
    for shard in try existingShards() {
      var survey = try survey(shard)
      for index in survey.files.indices {
        let file = survey.files[index]
        if shard == kept.shard, survey.listing.isNamed(kept.name, at: file.entry) { continue }
        let note = file.note
        let isDue = note.hasLifetime ? note.isDue(by: due) : note.freshUntil <= due.now
        if isDue, try removeIfDue(file, by: due, &survey, &open) {
          survey.files[index].isRemoved = true
          continue
        }
        let use = uses.use(of: note.name, in: shard)
        candidates.append(DiskCandidates.Candidate(note, use, survey: surveys.count, file: index))
      }
      close(&open)
      saveIndex(survey)
      surveys.append(survey)
    }
    return (surveys, DiskCandidates(candidates))
  }

  /// Removes a candidate unless another record has its name by now, or it was used meanwhile.
  ///
  /// - Returns: the candidate with the time of its use.
  private func remove(
    _ candidate: DiskCandidates.Candidate,
    _ surveys: inout [DiskSurvey],
    _ inTransit: Set<DiskLayout.Place>,
    evenIfUsed: Bool,
    _ open: inout OpenShard?
  ) throws(FileSystemError) -> DiskCandidates.Candidate? {
    let shard = surveys[candidate.survey].shard
    var file = surveys[candidate.survey].files[candidate.file]
    guard let directory = try directory(ofShard: shard, &open) else { return nil }
    let name = surveys[candidate.survey].name(of: file)
    let note = file.note
    let use = uses.use(of: note.name, in: shard)
    let wasUsed = use.map { $0.order > candidate.order } ?? false
    let status = try totals.withShard(shard) { shard throws(FileSystemError) in
      guard let current = try statusIfPresent(name, in: directory.directory),
        current.inode == note.inode, current.kind == .file
      else { return nil as FileStatus? }
      if !evenIfUsed, wasUsed || current.accessed > note.accessed { return current }
      try unlinkNoted(name, in: directory, current, inTransit, &shard)
      return nil
    }
    guard let status else { return nil }
    file.note.accessed = status.accessed
    file.note.changed = status.changed
    surveys[candidate.survey].files[candidate.file] = file
    diskIndex.note(file.note, in: shard, at: time.wall)
    return DiskCandidates.Candidate(file.note, use, survey: candidate.survey, file: candidate.file)
  }
}
