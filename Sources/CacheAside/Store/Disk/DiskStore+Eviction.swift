// Holding the limit on disk.
//
// What: after a write that exceeds the limit, one pass over the notes on all files (see
// DiskStore+Index) removes what is kept no longer, then the entries with the oldest access times,
// until 80 % of the limit is left. The access time is looked at once more before. An access
// time is set by every write, and by a read when it is older than ten minutes; equal ones are told
// apart by when the file's own record last changed. Invariants: one thread evicts at a time and the
// others that exceed the limit wait for it, so the total stays below the limit plus one record per
// writing thread; the entry just written stays. The pass lists the folders, costs one look and one
// unlink for each entry that it removes (see DiskStore+NotedRemoval), one lstat for each that nothing
// is known of, and comes once per fifth of the limit that is written.
import Synchronization

extension DiskStore {
  private struct Candidate {
    let shard: Int
    let name: String
    var note: DiskNote
  }

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
    var candidates = try candidates(keeping: kept)
    let inTransit = Set(try placesInTransit())
    var open: OpenShard?
    defer { close(&open) }
    // Whoever was used since it was noted gets its turn after those who were not.
    for isSecondTurn in [false, true] {
      var used: [Candidate] = []
      var order = candidates.indices.map { index in
        (candidates[index].note.accessed, candidates[index].note.changed, index)
      }
      order.sort { ($0.0, $0.1) < ($1.0, $1.1) }
      var oldest = order.map(\.2)[...]
      while !oldest.isEmpty, !isWithinLimit(percent: 80) {
        // Folder by folder, which spares the file system much searching.
        let victims = oldest.prefix(countToEvict(oldest, of: candidates))
        oldest = oldest.dropFirst(victims.count)
        for index in victims.sorted(by: { candidates[$0].shard < candidates[$1].shard }) {
          if isWithinLimit(percent: 80) { return }
          if let spared = try remove(
            candidates[index],
            inTransit,
            evenIfUsed: isSecondTurn,
            &open
          ) {
            used.append(spared)
          }
        }
      }
      candidates = used
    }
  }

  /// How many candidates have to go, as far as is known, until 80 % of the limit is left.
  private func countToEvict(_ order: ArraySlice<Int>, of candidates: [Candidate]) -> Int {
    var (bytes, entries, count) = (totals.bytes, totals.entries, 0)
    for index in order {
      if limit.holds(bytes: bytes, entries: entries, percent: 80) { break }
      bytes -= candidates[index].note.size
      entries -= 1
      count += 1
    }
    return count
  }

  /// Removes what is kept no longer; the rest may be evicted.
  private func candidates(keeping kept: DiskLayout.Place) throws(FileSystemError) -> [Candidate] {
    var candidates: [Candidate] = []
    let now = time.wall
    let tooOld = limit.tooOld(at: now)
    var open: OpenShard?
    defer { close(&open) }
    for shard in try existingShards() {
      var survey = try survey(shard)
      for file in survey.files where shard != kept.shard || file.name != kept.name {
        let note = file.note
        let isDue =
          note.hasLifetime ? note.isDue(at: now, tooOld: tooOld) : note.freshUntil <= now
        if isDue, try removeIfDue(file, at: now, &survey, &open) { continue }
        candidates.append(Candidate(shard: shard, name: file.name, note: note))
      }
      close(&open)
      saveIndex(survey)
    }
    return candidates
  }

  /// Removes a candidate unless another record has its name by now, or it was used meanwhile.
  ///
  /// - Returns: the candidate with the time of its use.
  private func remove(
    _ candidate: Candidate,
    _ inTransit: Set<DiskLayout.Place>,
    evenIfUsed: Bool,
    _ open: inout OpenShard?
  ) throws(FileSystemError) -> Candidate? {
    guard let directory = try directory(ofShard: candidate.shard, &open) else { return nil }
    let status = try totals.withShard(candidate.shard) { shard throws(FileSystemError) in
      guard let current = try statusIfPresent(candidate.name, in: directory),
        current.inode == candidate.note.inode, current.kind == .file
      else { return nil as FileStatus? }
      if !evenIfUsed, current.accessed > candidate.note.accessed { return current }
      try unlinkNoted(candidate.name, in: directory, current, inTransit, &shard)
      return nil
    }
    guard let status else { return nil }
    var used = candidate
    used.note.accessed = status.accessed
    used.note.changed = status.changed
    diskIndex.note(used.note, in: used.shard, at: time.wall)
    return used
  }
}
