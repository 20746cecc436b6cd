// Removing what is kept no longer, one shard at a time.
//
// What is known about a file (see DiskStore+Index) says whether its time has come. If so, and the file
// is as it was when it was noted, it goes (see DiskStore+NotedRemoval); else it is opened and its
// header decides. Files of which nothing is known are opened, too, and so are a few others in every
// shard that is swept, so that a wrong hint cannot keep a dead file for ever. Payloads are never read.
extension DiskStore {
  /// A temporary file that is older than this, in microseconds, has no living writer.
  private static let abandonedAfter: Int64 = 3_600_000_000

  /// How many files of a shard are opened although their time says "fresh".
  private static let samples = 2

  /// Begins the background work with the first use.
  func noteUse() {
    guard sweeper.noteUse() else { return }
    removeLinks()
    sweeper.start(time) { [weak self] shard in
      guard let self else { return false }
      await sweepInBackground(shard)
      return true
    }
  }

  private func sweepInBackground(_ shard: Int) async {
    guard background.begin() else { return }
    defer { background.end() }
    do {
      try await onStoreThread { [self] in try sweep(shard) }
    } catch {
      report(.readFailed, nil, error)
    }
  }

  /// Sweeps and counts one shard; with the first, the temporary files too.
  func sweep(_ shard: Int) throws(FileSystemError) {
    if shard == 0 { try sweepTemporaries() }
    do throws(FileSystemError) {
      try writeStamps()
      _ = try clear(shard)
    } catch {
      // What is out is not read, whether it is there or not; the sweep goes on.
      report(.removalFailed, nil, error)
    }
    var survey = try survey(shard, verifying: true)
    // A permanent store removes entries on request only.
    if !isPermanent {
      var sampled: Set<Int> = []
      if !survey.files.isEmpty {
        for _ in 0..<Self.samples {
          sampled.insert(Int(time.random() % UInt64(survey.files.count)))
        }
      }
      let failure = removeDue(in: &survey, sampled) {}
      if let failure { throw failure }
    }
    saveIndex(survey)
  }

  /// Removes the records of a shard whose time is over.
  ///
  /// - Returns: the first failure; the others were removed all the same.
  private func removeDue(
    in survey: inout DiskSurvey,
    _ sampled: Set<Int> = [],
    includingKept: Bool = false,
    _ removed: () -> Void
  ) -> FileSystemError? {
    for name in survey.intruders {
      discardIntruder(layout.place(named: name, in: survey.shard), nil)
    }
    var due = due()
    due.includesKept = includingKept
    var failure: FileSystemError?
    var open: OpenShard?
    defer { close(&open) }
    for index in survey.files.indices
    where survey.files[index].note.isDue(by: due) || sampled.contains(index) {
      do throws(FileSystemError) {
        guard try removeIfDue(survey.files[index], by: due, &survey, &open) else { continue }
        survey.files[index].isRemoved = true
        removed()
      } catch {
        failure = failure ?? error
      }
    }
    return failure
  }

  /// What a pass that begins now removes.
  func due() -> DiskNote.Due {
    let now = time.wall
    return DiskNote.Due(
      now: now,
      tooOld: limit.tooOld(at: now),
      tooLate: Lifetime.sum(now, Lifetime.skew)
    )
  }

  /// Removes the entries that are kept no longer, on the calling thread.
  ///
  /// When an entry's time is over is known of those that this process wrote or an earlier pass met;
  /// the header decides of the others, of what changed since, and in a permanent store of all.
  ///
  /// - Parameter includingKept: whether those go as well that have expired and are still kept.
  /// - Returns: how many were removed.
  /// - Throws: `CacheError` with the code `storeFailed` when some could not be looked at; the others
  ///   were removed all the same.
  /// - Complexity: lists 256 folders, two file calls for each entry that goes, and opens those that
  ///   are new to the store's index.
  @discardableResult
  public func removeExpiredBlocking(includingKept: Bool) throws -> Int {
    noteUse()
    var removed = 0
    var failure: FileSystemError?
    do throws(FileSystemError) {
      let view = try ledgerView()
      for shard in try existingShards() {
        do throws(FileSystemError) {
          removed += try clear(shard, view)
          var survey = try survey(shard)
          let first = removeDue(in: &survey, includingKept: includingKept) { removed += 1 }
          failure = failure ?? first
          saveIndex(survey)
        } catch {
          failure = failure ?? error
        }
      }
    } catch {
      failure = failure ?? error
    }
    guard let failure else { return removed }
    throw CacheError(
      .storeFailed,
      "the disk store could not look at all entries; \(removed) expired ones were removed",
      cause: failure
    )
  }

  /// Does something with every file of every shard, and goes on after a failure.
  ///
  /// - Returns: the first failure.
  func firstFailure(
    _ body: (DiskLayout.Place) throws(FileSystemError) -> Void
  ) throws -> FileSystemError? {
    var failure: FileSystemError?
    do throws(FileSystemError) {
      for shard in try existingShards() {
        for name in try recordNames(in: shard) {
          do throws(FileSystemError) {
            try body(layout.place(named: name, in: shard))
          } catch {
            failure = failure ?? error
          }
        }
      }
    } catch {
      failure = failure ?? error
    }
    return failure
  }

  /// Removes one record if its header says that it is kept no longer; else learns its lifetime.
  func removeIfExpired(
    _ place: DiskLayout.Place,
    by due: DiskNote.Due,
    _ learned: inout [DiskNote]
  ) throws(FileSystemError) -> Bool {
    var removed = false
    var found: DiskNote?
    try withHead(place) { place, status, head throws(FileSystemError) in
      var entry = head.entry
      entry.endWhenUnused(since: status.accessed, due.now)
      let note = DiskNote(
        place.name,
        status,
        created: entry.created,
        freshUntil: entry.freshUntil,
        keptUntil: entry.keptUntil
      )
      guard note.isDue(by: due) else {
        found = note
        return
      }
      removed = try takeOut(
        place,
        status,
        settingAside: isPermanent && due.isTooLate(entry.created)
      )
    }
    if let found { learned.append(found) }
    return removed
  }

  /// Removes abandoned temporary files, and counts those of other processes that are being written.
  ///
  /// The ledger is none of them: where a process died over it, it gets its name back.
  func sweepTemporaries() throws(FileSystemError) {
    let now = time.wall
    let own = DiskLayout.writerPrefix
    var bytes = 0
    for name in try names(in: layout.temporaryFolder) where !name.hasPrefix(own) {
      let path = layout.temporaryFolder + "/" + name
      if path == layout.takenLedgerPath {
        giveBackLedger()
        continue
      }
      guard let status = try statusIfPresent(path), status.kind != .directory else { continue }
      // A finished file carries its lifetime, so a time to come says nothing about its age.
      let touched = status.modified <= now ? status.modified : status.changed / 1_000
      if status.kind == .other || now &- touched > Self.abandonedAfter {
        _ = try unlinkIfPresent(path)
      } else {
        bytes += status.size
      }
    }
    totals.temporaryBytes = bytes
  }
}
