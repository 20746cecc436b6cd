// Reading the ledger, and making one.
//
// `<folder>/ledger` is looked at before every read of an entry and read when it changed; while there
// is none, the folder is looked at instead (DiskLedgerAbsence). A ledger
// that is damaged is replaced by one of a new epoch, and so is one that was there and is not any
// more; both at the price of every record, since none can be told from those that were invalidated.
// While it is rewritten shorter (DiskStore+Stamping) it has another name, under which it is read.
extension DiskStore {
  /// A ledger that is larger than this was not written by us.
  private static let mostBytes = 4 * DiskStore.ledgerLimit

  /// Looks at the ledger; one call while it stays the same, one to three while there is none.
  func ledgerView() throws(FileSystemError) -> DiskLedgerView {
    // An injected clock may pass a second in none of the file system's.
    guard let clock = folderTime ?? (time.isExact ? nil : .system) else { return try look() }
    let now = clock.coarse
    // In the tick after the folder changed only the name is looked for; both are once it is over.
    guard ledgers.asksForFolder(at: now) else { return try look(underBothNames: false) }
    guard let folder = try statusIfPresent(layout.root) else { return try look() }
    if ledgers.isAbsent(in: folder, at: now) { return .none }
    let seen = clock.precise
    let view = try look()
    if case .none = view { ledgers.noteAbsence(in: folder, from: now, to: seen) }
    return view
  }

  private func look(underBothNames: Bool = true) throws(FileSystemError) -> DiskLedgerView {
    let status = try statusIfPresent(layout.ledgerPath)
    if let view = ledgers.view(in: status) {
      guard underBothNames, case .none = view else { return view }
      // Whoever rewrote the first one may have died before it got its name back.
      if try statusIfPresent(layout.takenLedgerPath) == nil { return view }
    }
    let view = try readLedger()
    return ledgers.isDistrusted ? .distrusted : view
  }

  /// Reads the ledger, or makes one in the place of one that is damaged or lost.
  ///
  /// - Parameter onlyNamed: whether it has to have its name now; without it there is none then.
  /// - Returns: what to go by.
  /// - Throws: when it cannot be read now.
  func readLedger(onlyNamed: Bool = false) throws(FileSystemError) -> DiskLedgerView {
    // Somebody may be writing a stamp: what is torn now is whole in a moment.
    for _ in 0..<4 {
      guard let (bytes, status) = try ledgerBytes(onlyNamed: onlyNamed) else {
        if onlyNamed { return .none }
        guard ledgers.wasThere else {
          ledgers.noteAbsence()
          return .none
        }
        return try replaceLostLedger()
      }
      do throws(DiskLedgerFile.Fault) {
        let file = try DiskLedgerFile(bytes)
        ledgers.note(file, in: status)
        return .ledger(file.ledger)
      } catch {
        if error == .damaged { break }
      }
    }
    return replaceLedger(because: EnvelopeError.ledger) { ledger throws(FileSystemError) in
      try write(ledger, asFirst: false)
    }
  }

  /// The bytes of the ledger under either name; `nil` when there is none.
  private func ledgerBytes(
    onlyNamed: Bool
  ) throws(FileSystemError) -> (bytes: [UInt8], status: FileStatus)? {
    let path = layout.ledgerPath
    for path in onlyNamed ? [path] : [path, layout.takenLedgerPath, path] {
      let descriptor: Int32
      do throws(FileSystemError) { descriptor = try files.open(path) } catch {
        guard error.isAbsent else { throw error }
        continue
      }
      defer { closeReported(descriptor) }
      let status = try files.status(of: descriptor)
      guard status.kind == .file, status.size <= Self.mostBytes else { return ([], status) }
      return (try files.read(descriptor, at: 0, count: status.size), status)
    }
    return nil
  }

  /// Makes a ledger in the place of one that was there, unless the whole folder is gone.
  func replaceLostLedger() throws(FileSystemError) -> DiskLedgerView {
    guard try statusIfPresent(layout.root) != nil else {
      ledgers.noteAbsence()
      return .none
    }
    return replaceLedger(because: nil) { ledger throws(FileSystemError) in
      try write(ledger, asFirst: true)
    }
  }

  /// Begins a new epoch, in which nothing older is valid; while that cannot be written, nothing is.
  private func replaceLedger(
    because error: (any Error)?,
    _ write: (DiskLedger) throws(FileSystemError) -> Bool
  ) -> DiskLedgerView {
    let fresh = DiskLedger.fresh(admitsUnmarked: false)
    if let error { report(.recordDamaged, nil, error) }
    do throws(FileSystemError) {
      // If somebody else was faster, the next look reads his.
      guard try write(fresh) else { return .distrusted }
      ledgers.note(DiskLedgerFile(fresh), in: nil)
      return .ledger(fresh)
    } catch {
      report(.writeFailed, nil, error)
      return .distrusted
    }
  }

  /// Writes a whole ledger under another name and renames it into place.
  ///
  /// - Parameters:
  ///   - ledger: what to write.
  ///   - asFirst: whether it may not replace another.
  /// - Returns: `false` when there is another already.
  /// - Throws: when it could not be written.
  func write(_ ledger: DiskLedger, asFirst: Bool) throws(FileSystemError) -> Bool {
    let path = layout.temporaryPath()
    do throws(FileSystemError) { try fill(path, with: ledger) } catch {
      guard error.isAbsent else { throw error }
      try makeFolders()
      try fill(path, with: ledger)
    }
    do throws(FileSystemError) {
      if asFirst {
        try files.link(path, to: layout.ledgerPath)
        _ = try unlinkIfPresent(path)
      } else {
        try files.rename(path, to: layout.ledgerPath)
      }
    } catch {
      _ = try unlinkIfPresent(path)
      guard asFirst, error.isPresent else { throw error }
      return false
    }
    try synchronizeFolder(layout.root)
    return true
  }

  func fill(_ path: String, with ledger: DiskLedger) throws(FileSystemError) {
    let descriptor = try files.create(path, protection)
    do throws(FileSystemError) {
      do throws(FileSystemError) {
        try files.write(descriptor, DiskLedgerFile(ledger).bytes)
        // Numbers of files come back, and clocks tick slowly; this tells two ledgers apart.
        let now = time.wall
        let later = now &+ Int64.random(in: 1...1 << 36)
        try files.setTimes(descriptor, accessed: now, modified: later)
        if durability == .power { try files.synchronize(descriptor) }
      } catch {
        do throws(FileSystemError) { try files.close(descriptor) } catch {
          // The first error says more.
        }
        throw error
      }
      try files.close(descriptor)
    } catch {
      _ = try unlinkIfPresent(path)
      throw error
    }
  }
}
