// Knowing that there is no ledger without looking for it.
//
// What: a name that is missing is dear to look for; tmpfs, which remembers no missing names, takes as
// long for it as for opening a record. Whoever makes the ledger changes the times of the store's
// folder, so while the path of the folder leads to the same one with the same times, nobody has.
// Invariants: times tell changes apart only from one tick of the file system's clock to the next.
// So the folder has to look the same twice, more than a tick apart, and after the second look the
// ledger is looked for once more: whatever is made from then on has a later time. No clock is
// compared with the file system's. What was found so is trusted for a second, then looked for anew,
// should a file system not keep the times of folders. Called by the state of the ledger.
struct DiskLedgerAbsence: Sendable {
  /// How long the absence is trusted while the folder's times stay the same, in nanoseconds.
  static let trust: Int64 = 1_000_000_000

  private var root: FileStatus?
  /// From when on a folder that looks the same is one in which nothing was made unseen.
  private var settled: Int64 = .min
  private var trustedUntil: Int64 = .min

  /// Whether the folder is to be looked at.
  func asksForFolder(at now: Int64) -> Bool { now < trustedUntil || now >= settled }

  /// Whether there is no ledger in a folder that was looked at after this moment.
  func isKnown(in folder: FileStatus, at now: Int64) -> Bool {
    now < trustedUntil && isUnchanged(folder)
  }

  /// Notes that there was no ledger after the folder was looked at.
  ///
  /// - Parameters:
  ///   - folder: what was seen of it.
  ///   - start: a moment before that look, in monotonic nanoseconds.
  ///   - end: one after it.
  mutating func note(in folder: FileStatus, from start: Int64, to end: Int64) {
    if isUnchanged(folder), start >= settled {
      trustedUntil = start &+ Self.trust
    } else {
      root = folder
      settled = end &+ Self.tick(of: folder)
      trustedUntil = .min
    }
  }

  private func isUnchanged(_ folder: FileStatus) -> Bool {
    guard let root, folder.kind == .directory else { return false }
    return root.isSameFile(as: folder) && root.modified == folder.modified
      && root.changed == folder.changed
  }

  /// More than a tick of the clock that gave a time: some count in seconds, the others in the ticks
  /// of a kernel, at most ten milliseconds.
  private static func tick(of folder: FileStatus) -> Int64 {
    folder.changed % 1_000_000 == 0 ? 4_000_000_000 : 40_000_000
  }
}
