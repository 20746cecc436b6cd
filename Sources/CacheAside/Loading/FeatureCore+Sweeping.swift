// When the memory tables are swept: once a second while anything in them can expire or be invalidated
// by another process. The ticks also keep the coarse clock in step with system sleep.
//
// A manual clock has no coarse hand, and may move by days: there the sweep sleeps until the first entry
// ends, or until something comes that may end before. `startSweeper` is called after every such change.

import Synchronization

extension FeatureCore {
  /// Whether the memory tables are being swept.
  struct Sweeping: Sendable {
    enum Phase: Sendable {
      case none
      /// Once a second.
      case ticking
      /// When the first entry ends.
      case waiting(Deadline)
    }

    var phase = Phase.none
    /// How often something came that can end.
    var requests = 0
  }

  private static let tick: Int64 = 1_000_000_000

  /// Starts the sweep of the memory tables, unless it runs.
  @usableFromInline
  func startSweeper() {
    let (starts, waiting) = sweeping.withLock { sweeping -> (Bool, Deadline?) in
      sweeping.requests &+= 1
      switch sweeping.phase {
      case .none:
        sweeping.phase = .ticking
        return (true, nil)
      case .ticking: return (false, nil)
      case .waiting(let deadline):
        sweeping.phase = .ticking
        return (true, deadline)
      }
    }
    waiting?.cancel()
    if starts { sweepEachSecond() }
  }

  private func sweepEachSecond() {
    time.startTask(priority: .utility, inheritsContext: false) { [weak self, time] in
      while true {
        do { try await time.sleep(nanoseconds: Self.tick) } catch { return }
        guard let self, !self.isClosed, await self.sweepOnce() else { return }
      }
    }
  }

  /// Sweeps once; returns whether to go on each second.
  private func sweepOnce() async -> Bool {
    await followLedgers()
    sweeps.add()
    let now = time.precise
    for table in tables { table.sweep(now: now) }
    keeper.withLock { $0.registry }?.dropUnused()
    if needsSweeper { return !waitsForFirstEnd(now) }
    sweeping.withLock { $0.phase = .none }
    // An entry may have come in between the look and the flag.
    if needsSweeper { startSweeper() }
    return false
  }

  /// Sets a deadline instead of ticks, on a clock that needs no ticks.
  ///
  /// - Returns: whether it did.
  private func waitsForFirstEnd(_ now: Int64) -> Bool {
    guard time.isExact, !followsLedgers else { return false }
    let requests = sweeping.withLock { $0.requests }
    let end = tables.reduce(Int64.max) { min($0, $1.firstEnd()) }
    guard end > Lifetime.sum(now, 2 * Self.tick) else { return false }
    let deadline = time.call(at: end) { [weak self] in self?.firstEndCame() }
    let waits = sweeping.withLock { sweeping in
      guard sweeping.requests == requests else { return false }
      sweeping.phase = .waiting(deadline)
      return true
    }
    if !waits { deadline.cancel() }
    return waits
  }

  /// Forgets the next sweep of a feature that is closed.
  func endSweeping() {
    let waiting = sweeping.withLock { sweeping -> Deadline? in
      guard case .waiting(let deadline) = sweeping.phase else { return nil }
      sweeping.phase = .none
      return deadline
    }
    waiting?.cancel()
  }

  private func firstEndCame() {
    let isMine = sweeping.withLock { sweeping in
      guard case .waiting = sweeping.phase else { return false }
      sweeping.phase = .ticking
      return true
    }
    guard isMine else { return }
    time.startTask(priority: .utility, inheritsContext: false) { [weak self] in
      guard let self, !self.isClosed, await self.sweepOnce() else { return }
      self.sweepEachSecond()
    }
  }

  /// Whether an entry in memory can expire, or be invalidated by another process.
  private var needsSweeper: Bool {
    let tables = tables
    return tables.contains(where: \.needsSweep)
      || (followsLedgers && tables.contains { !$0.isEmptyInMemory })
  }
}
