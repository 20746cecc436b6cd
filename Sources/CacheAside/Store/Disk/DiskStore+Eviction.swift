// Holding the limit on disk.
//
// What: after a write that exceeds the limit, one pass over the folder removes what is kept no
// longer, then the entries with the oldest access times, until 80 % of the limit is left. An access
// time is set by every write, and by a read when it is older than ten minutes; equal ones are told
// apart by when the file's own record last changed. Invariants: one thread evicts at a time and the
// others that exceed the limit wait for it, so the total stays below the limit plus one record per
// writing thread; the entry just written stays. The pass costs one lstat an entry and comes once per
// fifth of the limit that is written, so a write pays for about five.
import Synchronization

extension DiskStore {
  private struct Candidate {
    let place: DiskLayout.Place
    let status: FileStatus
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
    var candidates: [Candidate] = []
    let now = time.wall
    for shard in try existingShards() {
      for name in try names(in: layout.folder(ofShard: shard)) {
        let place = layout.place(named: name, in: shard)
        guard place != kept, let status = try statusIfPresent(place.path) else { continue }
        if status.modified <= now, try removeIfExpired(place, at: now) { continue }
        if status.kind == .file { candidates.append(Candidate(place: place, status: status)) }
      }
    }
    candidates.sort {
      ($0.status.accessed, $0.status.changed) < ($1.status.accessed, $1.status.changed)
    }
    for candidate in candidates {
      if isWithinLimit(percent: 80) { return }
      try remove(candidate)
    }
  }

  /// Removes a candidate unless another record has its name by now.
  private func remove(_ candidate: Candidate) throws(FileSystemError) {
    try totals.withShard(candidate.place.shard) { shard throws(FileSystemError) in
      let path = candidate.place.path
      guard let current = try statusIfPresent(path), current.isSameFile(as: candidate.status) else {
        return
      }
      try unlinkEverywhere(candidate.place)
      shard.change(from: current, to: nil)
    }
  }
}
