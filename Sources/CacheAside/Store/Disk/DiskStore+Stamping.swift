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
// - A ledger that has grown is folded: the shorter one is written beside it; then the long one is
//   renamed to `tmp/ledger.rewritten`, so that nothing can be appended to it and acknowledged; if it is
//   the one that was folded, the shorter one gets the name by a link, else the long one gets it back.
//   Between the two renames everybody reads the taken one, and whoever has to write gives its name
//   back. A process that dies in between loses nothing.
extension DiskStore {
  /// From this size on a ledger is folded.
  static let ledgerLimit = 262_144

  /// How many subjects a folded ledger has at most.
  private static let mostSubjects = 1_024

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
      let all = pending.stamps + stamps
      let bytes = all.map(DiskLedgerFile.bytes(of:))
      let fits = bytes.allSatisfy { $0.count <= DiskLedgerFile.mostStampBytes }
      if pending.isRenewal || !fits { return try beginEpoch() }
      if all.isEmpty { return }
      try append(all, bytes.flatMap(\.self))
      ledgers.settle(all)
      foldLedger()
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
    _ stamps: [DiskLedger.Stamp],
    _ bytes: [UInt8]
  ) throws(FileSystemError) {
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
      case .ledger(let ledger) where ledger.sequence == 0 || ledgers.has(stamps): return
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
    ledgers.note(DiskLedgerFile(fresh), in: nil)
  }

  /// Appends to the ledger; makes it when there is none.
  ///
  /// - Returns: `false` when there was none.
  private func appendOnce(_ bytes: [UInt8]) throws(FileSystemError) -> Bool {
    let descriptor: Int32
    do throws(FileSystemError) { descriptor = try files.openToAppend(layout.ledgerPath) } catch {
      guard error.isAbsent else { throw error }
      if try putBackTakenLedger() { return false }
      _ = try write(.fresh(admitsUnmarked: !ledgers.wasThere), asFirst: true)
      return false
    }
    do throws(FileSystemError) {
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
    _ = try unlinkIfPresent(layout.takenLedgerPath)
    return true
  }

  /// The same for a sweep; under either name it counts, so that a failure changes nothing.
  func giveBackLedger() {
    do throws(FileSystemError) {
      try inLedgerOrder { () throws(FileSystemError) in _ = try putBackTakenLedger() }
    } catch {
      report(.writeFailed, nil, error)
    }
  }

  /// Rewrites a ledger that has grown, with the latest stamps only.
  private func foldLedger() {
    do throws(FileSystemError) {
      guard let status = try statusIfPresent(layout.ledgerPath), status.size > Self.ledgerLimit,
        let ledger = ledgers.ledger(in: status)
      else { return }
      try fold(ledger, status)
    } catch {
      // It stays long; the next stamp tries again.
      report(.writeFailed, nil, error)
    }
  }

  private func fold(_ ledger: DiskLedger, _ status: FileStatus) throws(FileSystemError) {
    var most = Self.mostSubjects
    var folded = ledger.folded(to: most)
    while most > 0, DiskLedgerFile(folded).bytes.count > Self.ledgerLimit / 2 {
      most /= 2
      folded = ledger.folded(to: most)
    }
    let path = layout.temporaryPath()
    try fill(path, with: folded)
    do throws(FileSystemError) {
      let taken = layout.takenLedgerPath
      if try renameIfPresent(layout.ledgerPath, to: taken) {
        let current = try statusIfPresent(taken)
        let isSame = current.map { $0.isSameFile(as: status) && $0.size == status.size } ?? false
        do throws(FileSystemError) {
          try files.link(isSame ? path : taken, to: layout.ledgerPath)
          // Somebody gave it back, added to it and took it again: what was added is not in ours.
          let last = isSame ? try statusIfPresent(taken)?.size : status.size
          if last != status.size { try beginEpoch() }
        } catch {
          guard error.isPresent || error.isAbsent else { throw error }
        }
        _ = try unlinkIfPresent(taken)
      }
    } catch {
      _ = try unlinkIfPresent(path)
      throw error
    }
    _ = try unlinkIfPresent(path)
  }
}
