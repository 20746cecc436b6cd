// What this process knows of the ledger.
//
// Invariants: the lock is held over nothing but these fields. What was read last counts for as long
// as the file is the same one: number, size and times, of which a new epoch's is random. A stamp that
// could not be written waits here, and while one waits nothing is read from the folder.
// Called by the disk store.
import Synchronization

/// What a read or write has to go by.
enum DiskLedgerView: Sendable {
  /// Nothing was ever invalidated by tag or namespace.
  case none
  case ledger(DiskLedger)
  /// What the folder holds may be out: nothing is read from it.
  case distrusted
}

final class DiskLedgerState: Sendable {
  private struct Known {
    var status: FileStatus?
    var file: DiskLedgerFile?
    var hasLooked = false
    var absence = DiskLedgerAbsence()
    var mark = LoadMark.none
    var isRenewalPending = false
    var pending: [DiskLedger.Stamp] = []
    var ownIDs: Set<UInt64> = []
    var ownEpochs: Set<UInt64> = []

    var isDistrusted: Bool { isRenewalPending || !pending.isEmpty }

    func view(in found: FileStatus?) -> DiskLedgerView? {
      guard let found else { return hasLooked && file == nil ? DiskLedgerView.none : nil }
      guard let status, status.isSameFile(as: found), status.size == found.size,
        status.modified == found.modified, status.changed == found.changed
      else { return nil }
      return file.map { .ledger($0.ledger) }
    }
  }

  /// How many own stamps are remembered; beyond that they are taken for another process's.
  private static let mostOwn = 10_000

  private let known = Lock(Known())

  /// Where the invalidations stood at the last look.
  var mark: LoadMark { known.withLock { $0.mark } }

  /// Whether there was a ledger at the last look.
  var wasThere: Bool { known.withLock { $0.file != nil } }

  /// Whether nobody has looked yet.
  var isNew: Bool { known.withLock { !$0.hasLooked } }

  /// What to go by if nothing has changed since the last look; `nil` when the ledger must be read.
  ///
  /// - Parameter status: the file that has the ledger's name, if one has.
  /// - Returns: the view.
  func view(in status: FileStatus?) -> DiskLedgerView? {
    known.withLock { known in
      guard let view = known.view(in: status) else { return nil }
      return known.isDistrusted ? .distrusted : view
    }
  }

  /// The ledger if it is the file that was read last.
  func ledger(in status: FileStatus) -> DiskLedger? {
    guard case .ledger(let ledger) = known.withLock({ $0.view(in: status) }) else { return nil }
    return ledger
  }

  /// Notes what was read from a file; one without a status is read again by the next look.
  func note(_ file: DiskLedgerFile, in status: FileStatus?) {
    known.withLock { known in
      known.hasLooked = true
      known.status = status
      known.file = file
      known.mark = file.ledger.mark
      known.absence = DiskLedgerAbsence()
    }
  }

  /// Notes that there is none.
  func noteAbsence() {
    known.withLock { known in
      known.hasLooked = true
      known.status = nil
      known.file = nil
      known.mark = .none
    }
  }

  /// Whether the folder is to be looked at, which may tell that there is still no ledger.
  func asksForFolder(at now: Int64) -> Bool {
    known.withLock { $0.hasLooked && $0.file == nil && $0.absence.asksForFolder(at: now) }
  }

  /// Whether the folder tells that there is no ledger, and nothing is waiting to be written to one.
  func isAbsent(in folder: FileStatus, at now: Int64) -> Bool {
    known.withLock {
      $0.file == nil && !$0.isDistrusted && $0.absence.isKnown(in: folder, at: now)
    }
  }

  /// Notes that there was none after the folder was looked at.
  func noteAbsence(in folder: FileStatus, from start: Int64, to end: Int64) {
    known.withLock { known in
      if known.file == nil { known.absence.note(in: folder, from: start, to: end) }
    }
  }

  /// Whether stamps are in what was read last.
  func has(_ stamps: [DiskLedger.Stamp]) -> Bool {
    known.withLock { known in
      stamps.allSatisfy { known.file?.ids.contains($0.id) ?? false }
    }
  }

  // MARK: Own changes

  /// Notes stamps that this store writes, so that they are nobody else's.
  func noteOwn(_ stamps: [DiskLedger.Stamp]) {
    known.withLock { known in
      if known.ownIDs.count + stamps.count > Self.mostOwn { known.ownIDs = [] }
      for stamp in stamps { known.ownIDs.insert(stamp.id) }
    }
  }

  /// Notes an epoch with which this store has removed everything.
  func noteOwn(epoch: UInt64) {
    known.withLock { known in
      if known.ownEpochs.count >= Self.mostOwn { known.ownEpochs = [] }
      known.ownEpochs.insert(epoch)
    }
  }

  func isOwn(_ stamp: DiskLedger.Stamp) -> Bool { known.withLock { $0.ownIDs.contains(stamp.id) } }

  func isOwn(epoch: UInt64) -> Bool { known.withLock { $0.ownEpochs.contains(epoch) } }

  // MARK: What could not be written

  /// Whether something could not be written yet.
  var isDistrusted: Bool { known.withLock { $0.isDistrusted } }

  /// What has to be written first: stamps, and whether a new epoch.
  var pending: (stamps: [DiskLedger.Stamp], isRenewal: Bool) {
    known.withLock { ($0.pending, $0.isRenewalPending) }
  }

  /// Keeps stamps until they can be written; too many of them become a new epoch.
  func keep(_ stamps: [DiskLedger.Stamp]) {
    known.withLock { known in
      known.pending += stamps.filter { !known.pending.contains($0) }
      if known.pending.count > Self.mostOwn {
        known.pending = []
        known.isRenewalPending = true
      }
    }
  }

  func keepRenewal() { known.withLock { $0.isRenewalPending = true } }

  /// Forgets stamps that were written.
  func settle(_ stamps: [DiskLedger.Stamp]) {
    let ids = Set(stamps.map(\.id))
    known.withLock { known in known.pending.removeAll { ids.contains($0.id) } }
  }

  /// Forgets everything that was to be written, since a new epoch says it all.
  func settleAll() {
    known.withLock { known in
      known.pending = []
      known.isRenewalPending = false
    }
  }
}
