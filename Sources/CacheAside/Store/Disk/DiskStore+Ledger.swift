// Reading the ledger, and making one.
//
// `<folder>/ledger` is looked at before every read of an entry and read when it changed; while there
// is none, the folder is looked at instead (DiskLedgerAbsence). A ledger
// that is damaged is replaced by one of a new epoch, and so is one that was there and is not any
// more; both at the price of every record, since none can be told from those that were invalidated.
// While it is rewritten shorter (DiskStore+Stamping) it has another name, under which it is read.
extension DiskStore {
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

  /// Reads the ledger, or what was appended to it; makes one in the place of one that is damaged or lost.
  ///
  /// - Parameter onlyNamed: whether it has to have its name now; without it there is none then.
  /// - Returns: what to go by.
  /// - Throws: when it cannot be read now.
  func readLedger(onlyNamed: Bool = false) throws(FileSystemError) -> DiskLedgerView {
    // Somebody may be writing: what looks damaged now may be whole in a moment.
    for turn in 0..<4 {
      guard let descriptor = try openLedger(onlyNamed: onlyNamed) else {
        if onlyNamed { return .none }
        guard ledgers.wasThere else {
          ledgers.noteAbsence()
          return .none
        }
        return try replaceLostLedger()
      }
      defer { closeReported(descriptor) }
      switch try read(descriptor, isFinal: turn == 3) {
      case .whole(let book): return .ledger(book)
      case .again: continue
      case .damaged: break
      }
      break
    }
    return replaceLedger(because: EnvelopeError.ledger) { ledger throws(FileSystemError) in
      try write(ledger, asFirst: false)
    }
  }

  /// What came of reading a ledger.
  private enum LedgerReading {
    case whole(DiskLedgerBook)
    /// Somebody was faster, or is writing.
    case again
    case damaged
  }

  private func read(
    _ descriptor: Int32,
    isFinal: Bool
  ) throws(FileSystemError) -> LedgerReading {
    let status = try files.status(of: descriptor)
    guard status.kind == .file, DiskLedgerFile.admits(size: status.size) else { return .damaged }
    if let book = ledgers.book(in: status) {
      let (end, head) = book.readFile { ($0.end, $0.head) }
      if try files.read(descriptor, at: 0, count: head.count) == head {
        // What was acknowledged was cut off.
        guard status.size >= end else { return .damaged }
        let bytes = try files.read(descriptor, at: end, count: status.size - end)
        let awaited = ledgers.awaited
        if let reading = book.read(bytes, at: end, isFinal: isFinal, awaiting: awaited) {
          if reading.isBroken { return .damaged }
          ledgers.noteGrowth(of: book, in: status)
          if reading.damages > 0 { report(.recordDamaged, nil, EnvelopeError.stamp) }
          return reading.isDoubtful ? .again : .whole(book)
        }
      }
    }
    let bytes = try files.read(descriptor, at: 0, count: status.size)
    do throws(DiskLedgerFile.Fault) {
      let awaited = ledgers.awaited
      var met: Set<UInt64> = []
      let file = try DiskLedgerFile(bytes, isFinal: isFinal) {
        if awaited.contains($0) { met.insert($0) }
      }
      let book = DiskLedgerBook(file, met: met)
      // What was read before is not in it: an older one is in its place, or was read by whoever was slow.
      if ledgers.isAhead(of: book.mark) { return isFinal ? .damaged : .again }
      ledgers.note(book, in: status)
      if file.damages > 0 { report(.recordDamaged, nil, EnvelopeError.stamp) }
      return file.isDoubtful ? .again : .whole(book)
    } catch {
      return .damaged
    }
  }

  /// Opens the ledger under either name; `nil` when there is none.
  private func openLedger(onlyNamed: Bool) throws(FileSystemError) -> Int32? {
    if onlyNamed { return try openIfPresent(layout.ledgerPath) }
    for _ in 0..<Self.looksForLedger {
      if let descriptor = try openIfPresent(layout.ledgerPath) { return descriptor }
      if let descriptor = try openIfPresent(layout.takenLedgerPath) { return descriptor }
    }
    return nil
  }

  private func openIfPresent(_ path: String) throws(FileSystemError) -> Int32? {
    do throws(FileSystemError) { return try files.open(path) } catch {
      guard error.isAbsent else { throw error }
      return nil
    }
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
      let book = DiskLedgerBook(DiskLedgerFile(fresh))
      ledgers.note(book, in: nil)
      return .ledger(book)
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
        try files.write(descriptor, DiskLedgerFile.bytes(of: ledger))
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
