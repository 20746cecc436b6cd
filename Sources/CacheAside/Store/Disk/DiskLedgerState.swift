// What this process knows of the ledger.
//
// Invariants: the lock is held over nothing but these fields. What was read last counts for as long
// as the file is the same one: number, size and times, of which a new epoch's is random. A file that only grew
// is read on from where its last whole stamp ended, into the same book, so that an invalidation costs
// what it adds. A stamp that could not be written waits here, and while one waits nothing is read from
// the folder. Called by the disk store.
import Synchronization

/// A ledger that this process has read, which grows as its file does.
///
/// Readers ask it, and hold no copy that would have to be made anew with every stamp. What it learns while
/// somebody judges a record only makes the judgement stricter.
final class DiskLedgerBook: Sendable {
  private struct State {
    var file: DiskLedgerFile
    /// Which of the stamps that are read back are in it.
    var met: Set<UInt64>
  }

  private let state: Lock<State>

  init(_ file: DiskLedgerFile, met: Set<UInt64> = []) {
    state = Lock(State(file: file, met: met))
  }

  /// Where the invalidations stand.
  var mark: LoadMark { state.withLock { $0.file.ledger.mark } }

  /// Asks the ledger something.
  func read<Result>(_ body: (DiskLedger) -> Result) -> Result {
    state.withLock { body($0.file.ledger) }
  }

  /// Asks the file something.
  func readFile<Result>(_ body: (DiskLedgerFile) -> Result) -> Result {
    state.withLock { body($0.file) }
  }

  /// Whether stamps that are read back are in it.
  func hasMet(_ stamps: ArraySlice<DiskLedger.Stamp>) -> Bool {
    state.withLock { state in stamps.allSatisfy { state.met.contains($0.id) } }
  }

  /// Reads on, if that is where it stands.
  ///
  /// - Parameters:
  ///   - bytes: what follows in the file.
  ///   - offset: where they are in it.
  ///   - isFinal: as for ``DiskLedgerFile/read(_:isFinal:_:)``.
  ///   - awaited: the stamps that are read back.
  /// - Returns: the file after them, and how many stretches were damaged; `nil` when somebody else has
  ///   read on meanwhile.
  func read(
    _ bytes: [UInt8],
    at offset: Int,
    isFinal: Bool,
    awaiting awaited: Set<UInt64>
  ) -> (isDoubtful: Bool, isBroken: Bool, damages: Int)? {
    state.withLock { state in
      guard state.file.end == offset else { return nil }
      let damages = state.file.damages
      var met = state.met.intersection(awaited)
      state.file.read(bytes, isFinal: isFinal) { if awaited.contains($0) { met.insert($0) } }
      state.met = met
      return (state.file.isDoubtful, state.file.isBroken, state.file.damages - damages)
    }
  }
}

/// What a read or write has to go by.
enum DiskLedgerView: Sendable {
  /// Nothing was ever invalidated by tag or namespace.
  case none
  case ledger(DiskLedgerBook)
  /// What the folder holds may be out: nothing is read from it.
  case distrusted
}

final class DiskLedgerState: Sendable {
  private struct Known {
    var status: FileStatus?
    var book: DiskLedgerBook?
    var hasLooked = false
    var absence = DiskLedgerAbsence()
    var mark = LoadMark.none
    /// The mark of the first look.
    var firstMark: LoadMark?
    var isRenewalPending = false
    var pending: [DiskLedger.Stamp] = []
    var pendingIDs: Set<UInt64> = []
    var ownIDs: Set<UInt64> = []
    var ownEpochs: Set<UInt64> = []
    /// The stamps whose writer reads them back.
    var awaited: Set<UInt64> = []

    var isDistrusted: Bool { isRenewalPending || !pending.isEmpty }

    func view(in found: FileStatus?) -> DiskLedgerView? {
      guard let found else { return hasLooked && book == nil ? DiskLedgerView.none : nil }
      guard let status, status.isSameFile(as: found), status.size == found.size,
        status.modified == found.modified, status.changed == found.changed
      else { return nil }
      return book.map { .ledger($0) }
    }
  }

  /// How many own stamps are remembered; beyond that they are taken for another process's.
  private static let mostOwn = 10_000

  /// How many stamps wait at most until they can be written.
  private static let mostPending = 262_144

  private let known = Lock(Known())

  /// Where the invalidations stood at the last look.
  var mark: LoadMark { known.withLock { $0.mark } }

  /// Where they stood at the first look, before which nothing was read from the folder.
  var firstMark: LoadMark { known.withLock { $0.firstMark ?? .none } }

  /// Whether there was a ledger at the last look.
  var wasThere: Bool { known.withLock { $0.book != nil } }

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

  /// Whether more was read of the same ledger before.
  func isAhead(of mark: LoadMark) -> Bool {
    known.withLock { $0.mark.epoch == mark.epoch && $0.mark.sequence > mark.sequence }
  }

  /// The ledger that was read last from the file that is looked at, whatever was appended to it.
  func book(in status: FileStatus) -> DiskLedgerBook? {
    known.withLock { known in
      known.status.flatMap { $0.isSameFile(as: status) ? known.book : nil }
    }
  }

  /// Notes what was read from a whole file; one without a status is read again by the next look.
  func note(_ book: DiskLedgerBook, in status: FileStatus?) {
    let mark = book.mark
    known.withLock { known in
      known.hasLooked = true
      known.status = status
      known.book = book
      known.mark = mark
      known.firstMark = known.firstMark ?? mark
      known.absence = DiskLedgerAbsence()
    }
  }

  /// Notes that a ledger was read on, up to the size of a file.
  func noteGrowth(of book: DiskLedgerBook, in status: FileStatus) {
    let mark = book.mark
    known.withLock { known in
      guard known.book === book else { return }
      known.status = status
      // Whoever was slower has seen less.
      if mark.sequence > known.mark.sequence { known.mark = mark }
    }
  }

  /// Notes that there is none.
  func noteAbsence() {
    known.withLock { known in
      known.hasLooked = true
      known.status = nil
      known.book = nil
      known.mark = .none
      known.firstMark = known.firstMark ?? LoadMark.none
    }
  }

  /// Whether the folder is to be looked at, which may tell that there is still no ledger.
  func asksForFolder(at now: Int64) -> Bool {
    known.withLock { $0.hasLooked && $0.book == nil && $0.absence.asksForFolder(at: now) }
  }

  /// Whether the folder tells that there is no ledger, and nothing is waiting to be written to one.
  func isAbsent(in folder: FileStatus, at now: Int64) -> Bool {
    known.withLock {
      $0.book == nil && !$0.isDistrusted && $0.absence.isKnown(in: folder, at: now)
    }
  }

  /// Notes that there was none after the folder was looked at.
  func noteAbsence(in folder: FileStatus, from start: Int64, to end: Int64) {
    known.withLock { known in
      if known.book == nil { known.absence.note(in: folder, from: start, to: end) }
    }
  }

  // MARK: Reading back

  /// The stamps whose writer reads them back; there is one writer at a time.
  ///
  /// They are asked for after bytes were read and before they are taken, so that whoever takes the
  /// bytes of a stamp knows that it is awaited.
  var awaited: Set<UInt64> {
    get { known.withLock { $0.awaited } }
    set { known.withLock { $0.awaited = newValue } }
  }

  // MARK: Own changes

  /// Notes stamps that this store writes, so that they are nobody else's.
  func noteOwn(_ stamps: [DiskLedger.Stamp]) {
    known.withLock { known in
      let last = stamps.suffix(Self.mostOwn)
      if known.ownIDs.count + last.count > Self.mostOwn { known.ownIDs = [] }
      for stamp in last { known.ownIDs.insert(stamp.id) }
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
      for stamp in stamps where known.pendingIDs.insert(stamp.id).inserted {
        known.pending.append(stamp)
      }
      guard known.pending.count > Self.mostPending else { return }
      (known.pending, known.pendingIDs) = ([], [])
      known.isRenewalPending = true
    }
  }

  func keepRenewal() { known.withLock { $0.isRenewalPending = true } }

  /// Forgets stamps that were written.
  func settle(_ stamps: [DiskLedger.Stamp]) {
    known.withLock { known in
      guard !known.pending.isEmpty else { return }
      for stamp in stamps { known.pendingIDs.remove(stamp.id) }
      let left = known.pendingIDs
      known.pending.removeAll { !left.contains($0.id) }
    }
  }

  /// Forgets everything that was to be written, since a new epoch says it all.
  func settleAll() {
    known.withLock { known in
      (known.pending, known.pendingIDs) = ([], [])
      known.isRenewalPending = false
    }
  }
}
