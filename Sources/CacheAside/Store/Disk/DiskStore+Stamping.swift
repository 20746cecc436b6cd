import Synchronization

// Writing the ledger so that nothing is lost between processes, without locks.
//
// A rename replaces whatever is there, and nobody can make it ask first; two processes that each
// write the ledger anew would lose one of two stamps. So:
//
// - A stamp is appended, in one write to a file opened for appending: the system puts each behind
//   the last, and their order in the file is their sequence. Then the ledger is read again by its
//   path. If the stamp is not in it, the file was replaced meanwhile, and the stamp is appended to
//   the new one.
// - A new epoch is renamed into place. Whatever it replaces is older, and is out as a whole.
// - The first ledger, and every one that goes on with an epoch, gets its name by a link, which
//   fails when there is another.
// - A ledger that is twice as large as it was after the last folding is folded: the shorter one is written
//   beside it; then the long one is renamed to `tmp/ledger.rewritten`, so that nothing can be appended to it
//   and acknowledged; if it is the one that was folded, what was appended meanwhile is copied behind the shorter
//   one, which gets the name by a link; else the long one gets it back. Between the two
//   everybody reads the taken one, and whoever has to write gives its name back. A process that dies in
//   between loses nothing.
// - While there is no `ledger`, `tmp/ledger.rewritten` is it: the rename that takes the one name replaces the
//   other. So the latter is left there after a folding, for the next to replace: whoever removed it might
//   remove what another has taken in the meantime. Only while both names are one file, after it was given
//   back, is the second removed: meanwhile nobody can take it (POSIX: such a rename does nothing).
// - One look at two names may miss a file that goes back and forth between them, so that a ledger is lost
//   only when several looks in a row find none.
// - What is written at once, and the file with it, stays below what is read (DiskLedgerFile).
extension DiskStore {
  /// How often both names are looked at before there is no ledger.
  static let looksForLedger = 8

  /// From this size on a ledger is folded.
  static let ledgerLimit = 262_144

  /// How much is appended at once; what is more is split.
  static let mostAppended = 1_048_576

  /// How many bytes the subjects that are known by name may have after folding.
  private static let mostNameBytes = 524_288

  /// Writes stamps; when it returns, the kernel has them.
  ///
  /// - Throws: when they could not be written; until they are, this store serves nothing.
  func stamp(_ stamps: [DiskLedger.Stamp]) throws(FileSystemError) {
    ledgers.noteOwn(stamps)
    do throws(FileSystemError) { try writeStamps(adding: stamps) } catch {
      ledgers.keep(stamps)
      throw error
    }
  }

  /// Begins a new epoch: everything that is stored, or whose load has begun, is out.
  func renewLedger() throws(FileSystemError) {
    do throws(FileSystemError) {
      try inLedgerOrder { () throws(FileSystemError) in try beginEpoch() }
    } catch {
      ledgers.keepRenewal()
      throw error
    }
  }

  /// Writes what could not be written before, if anything, and stamps after it.
  func writeStamps(adding stamps: [DiskLedger.Stamp] = []) throws(FileSystemError) {
    guard !stamps.isEmpty || ledgers.isDistrusted else { return }
    try inLedgerOrder { () throws(FileSystemError) in
      let pending = ledgers.pending
      let all = (pending.stamps + stamps).map(\.fitting)
      if pending.isRenewal || !all.allSatisfy(\.fits) { return try beginEpoch() }
      var rest = ArraySlice(all)
      while !rest.isEmpty {
        var bytes: [UInt8] = []
        let part = rest.prefix { stamp in
          if bytes.count > Self.mostAppended { return false }
          bytes += DiskLedgerFile.bytes(of: stamp)
          return true
        }
        rest = rest.dropFirst(part.count)
        try append(part, bytes)
        foldLedger()
      }
      ledgers.settle(all)
    }
  }

  /// One thread of this store writes the ledger at a time; nothing is reported meanwhile.
  private func inLedgerOrder(_ body: () throws(FileSystemError) -> Void) throws(FileSystemError) {
    let result = HeldReports.hold {
      Result { () throws(FileSystemError) in
        try ledgerGate.withLock { _ throws(FileSystemError) in try body() }
      }
    }
    try result.get()
  }

  /// Appends stamps until they are in the ledger that has the name.
  private func append(
    _ stamps: ArraySlice<DiskLedger.Stamp>,
    _ bytes: [UInt8]
  ) throws(FileSystemError) {
    ledgers.awaited = Set(stamps.map(\.id))
    defer { ledgers.awaited = [] }
    for _ in 0..<16 {
      do throws(FileSystemError) {
        guard try appendOnce(bytes) else { continue }
      } catch {
        // A file system that cannot append has only epochs.
        guard error.isUnsupported else { throw error }
        return try beginEpoch()
      }
      switch try readLedger(onlyNamed: true) {
      case .none: continue
      case .distrusted: throw FileSystemError(.append, code: FileSystemError.tryAgain)
      // One that had to be made anew says the same and more.
      case .ledger(let book) where book.mark.sequence == 0 || book.hasMet(stamps): return
      case .ledger: continue
      }
    }
    throw FileSystemError(.append, code: FileSystemError.tryAgain)
  }

  private func beginEpoch() throws(FileSystemError) {
    let fresh = DiskLedger.fresh(admitsUnmarked: false)
    ledgers.noteOwn(epoch: fresh.epoch)
    _ = try write(fresh, asFirst: false)
    ledgers.settleAll()
    ledgers.note(DiskLedgerBook(DiskLedgerFile(fresh)), in: nil)
  }

  /// Appends to the ledger; makes it when there is none.
  ///
  /// - Returns: `false` when there was none.
  private func appendOnce(_ bytes: [UInt8]) throws(FileSystemError) -> Bool {
    let descriptor: Int32
    do throws(FileSystemError) { descriptor = try files.openToAppend(layout.ledgerPath) } catch {
      guard error.isAbsent else { throw error }
      for _ in 0..<Self.looksForLedger where try putBackTakenLedger() { return false }
      _ = try write(.fresh(admitsUnmarked: !ledgers.wasThere), asFirst: true)
      return false
    }
    do throws(FileSystemError) {
      // Where folding has failed for so long, only a new epoch is read by everybody.
      guard DiskLedgerFile.admits(size: try files.status(of: descriptor).size + bytes.count) else {
        throw .unsupported(.append)
      }
      try files.write(descriptor, bytes)
      if durability == .power { try files.synchronize(descriptor) }
    } catch {
      do throws(FileSystemError) { try files.close(descriptor) } catch {
        // The first error says more.
      }
      throw error
    }
    try files.close(descriptor)
    return true
  }

  /// Gives the ledger its name back, which somebody took from it and did not finish.
  private func putBackTakenLedger() throws(FileSystemError) -> Bool {
    do throws(FileSystemError) {
      try files.link(layout.takenLedgerPath, to: layout.ledgerPath)
    } catch {
      if error.isPresent { return true }
      guard error.isAbsent else { throw error }
      return false
    }
    try removeTakenName()
    return true
  }

  /// Removes the second name of a ledger that was given back.
  private func removeTakenName() throws(FileSystemError) {
    guard let taken = try statusIfPresent(layout.takenLedgerPath),
      let named = try statusIfPresent(layout.ledgerPath), named.isSameFile(as: taken)
    else { return }
    _ = try unlinkIfPresent(layout.takenLedgerPath)
  }

  /// The same for a sweep; under either name it counts, so that a failure changes nothing.
  func giveBackLedger() {
    do throws(FileSystemError) {
      try inLedgerOrder { () throws(FileSystemError) in
        _ = try putBackTakenLedger()
        // Who gave it back may have died before he removed the other name.
        try removeTakenName()
      }
    } catch {
      report(.writeFailed, nil, error)
    }
  }

  /// Rewrites a ledger that has grown, or is damaged, with what counts only.
  private func foldLedger() {
    do throws(FileSystemError) {
      guard let status = try statusIfPresent(layout.ledgerPath),
        let book = ledgers.book(in: status)
      else { return }
      let (size, isDamaged) = book.readFile { ($0.foldedSize, $0.damages > 0) }
      guard isDamaged || status.size > max(Self.ledgerLimit, 2 * size) else { return }
      let (ledger, end) = book.readFile { ($0.ledger, $0.end) }
      var folded = ledger.folded()
      var most = DiskLedger.mostNames
      while most > 0, folded.nameBytes > Self.mostNameBytes {
        most /= 2
        folded = folded.folded(to: most)
      }
      if folded.floor > ledger.floor { report(.advice, nil, EnvelopeError.ledgerFull) }
      try replace(status, upTo: end, by: folded)
    } catch {
      // It stays long; the next stamp tries again.
      report(.writeFailed, nil, error)
    }
  }

  /// Puts a folded ledger in the place of the one whose first bytes it says.
  private func replace(
    _ long: FileStatus,
    upTo end: Int,
    by folded: DiskLedger
  ) throws(FileSystemError) {
    let path = layout.temporaryPath()
    try fill(path, with: folded)
    do throws(FileSystemError) {
      let taken = layout.takenLedgerPath
      if try renameIfPresent(layout.ledgerPath, to: taken) {
        let current = try statusIfPresent(taken)
        let isSame = current.map { $0.isSameFile(as: long) && $0.size >= end } ?? false
        if isSame {
          do throws(FileSystemError) {
            // Nobody reads the short one yet.
            let copied = try copy(from: end, of: taken, to: path)
            try files.link(path, to: layout.ledgerPath)
            // Somebody gave it back, added to it and had it taken again in the middle of this, or had
            // opened it before; in the first case he knows already that it is in, in the second he adds
            // it again, which is the same.
            _ = try copy(from: end + copied, of: taken, to: layout.ledgerPath)
          } catch {
            guard error.isPresent || error.isAbsent else { throw error }
          }
        } else {
          _ = try putBackTakenLedger()
        }
      }
    } catch {
      _ = try unlinkIfPresent(path)
      throw error
    }
    _ = try unlinkIfPresent(path)
  }

  /// Appends what one ledger has from a place on to another.
  private func copy(
    from start: Int,
    of path: String,
    to other: String
  ) throws(FileSystemError) -> Int {
    let source = try files.open(path)
    defer { closeReported(source) }
    let count = try files.status(of: source).size - start
    guard count > 0 else { return 0 }
    let bytes = try files.read(source, at: start, count: count)
    let target = try files.openToAppend(other)
    do throws(FileSystemError) {
      try files.write(target, bytes)
      if durability == .power { try files.synchronize(target) }
    } catch {
      do throws(FileSystemError) { try files.close(target) } catch {
        // The first error says more.
      }
      throw error
    }
    try files.close(target)
    return bytes.count
  }
}
