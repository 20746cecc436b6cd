@testable import CacheAside

/// What the work of flights and the changes of the key do.
extension FlightSystem {
  /// The value that a flight makes.
  static func value(of run: Int) -> Int { 100 + run }

  func take(_ step: Step) {
    now += 1
    switch step {
    case .look(let caller): look(caller)
    case .join(let caller): join(caller)
    case .probe(let caller): probe(caller)
    case .start(let caller): start(caller)
    case .install(let caller): install(caller)
    case .park(let caller): park(caller)
    case .cancel(let caller): cancel(caller)
    case .settle(let caller): settle(caller)
    case .timeOut(let caller): timeOut(caller)
    case .offer(let run): offer(run)
    case .replace(let run): replace(run)
    case .store(let run): store(run)
    case .end(let run): complete(run, .success(Self.value(of: run)))
    case .fail(let run): complete(run, .failure(.failed))
    case .giveUp(let run): giveUp(run)
    case .registerWrite: registerWrite()
    case .commitWrite: commitWrite()
    case .endWrite: endWrite()
    case .closeForRemoval:
      removal = .registered
      closeRuns()
      table.supersede(Self.key.key, hash: Self.key.hash)
    case .removeFromMemory:
      removal = .over
      memory = nil
    }
    for word in told.take() {
      check(word.end != .ended || word.isUnregistered, "F5 a flight is out before it tells")
      hear(word.end, word.caller)
    }
    checkState()
  }

  func offer(_ run: Int) {
    runs[run].hasFallback = true
    for caller in callers.indices
    where callers[caller].flight == run && callers[caller].isImpatient {
      callers[caller].isWaiting = false
    }
    runs[run].flight.offer { _ in Self.fallbackValue }
  }

  func store(_ run: Int) {
    let (old, wasOpen, begun) = (memory, runs[run].isOpen, runs[run].begun)
    runs[run].hasStored = true
    let stored: Void? = table.commit(
      runs[run].flight.registration,
      key: Self.key.key,
      hash: Self.key.hash,
      isChange: true
    ) { memory = (Self.value(of: run), begun) }
    if scenario.fault == .storeAfterInvalidation, stored == nil {
      memory = (Self.value(of: run), begun)
    }
    let isStored = memory?.value == Self.value(of: run)
    check(!isStored || wasOpen, "F4 nothing of a closed flight is stored")
    check(isStored || !wasOpen, "an open flight stores")
    check(!isStored || old.map { $0.begun < begun } ?? true, "F4 nothing is stored over newer")
  }

  func complete(_ run: Int, _ result: Result<Int, FlightFailure>) {
    if scenario.fault == .unregisterByKey {
      table.supersede(Self.key.key, hash: Self.key.hash)
    }
    runs[run].isDone = true
    conclude(run, result)
    runs[run].flight.complete(result.mapError { $0 })
  }

  func giveUp(_ run: Int) {
    runs[run].isGivenUp = true
    conclude(run, .failure(.givenUp))
    runs[run].flight.giveUp { .failure(FlightFailure.givenUp) }
  }

  private func conclude(_ run: Int, _ result: Result<Int, FlightFailure>) {
    guard runs[run].isRunning else { return }
    runs[run].result = result
    for caller in callers.indices where callers[caller].flight == run {
      callers[caller].isWaiting = false
    }
  }

  /// Notes that whatever is registered is closed.
  func closeRuns() {
    for run in runs.indices { runs[run].isClosed = true }
  }

  func registerWrite() {
    closeRuns()
    let registration = table.registerWriter(Self.key.key, hash: Self.key.hash)
    write = (.registered, now, registration)
  }

  func commitWrite() {
    write.stage = .stored
    guard let registration = write.registration else { return }
    let begun = write.begun
    let stored: Void? = table.commit(
      registration,
      key: Self.key.key,
      hash: Self.key.hash,
      isChange: true
    ) { memory = (Self.writtenValue, begun) }
    if stored != nil { closeRuns() }
  }

  func endWrite() {
    write.stage = .over
    guard let registration = write.registration else { return }
    table.unregister(registration, key: Self.key.key, hash: Self.key.hash)
    // A removal that goes on is about to empty memory.
    if removal == .registered { return }
    let isOlder = memory.map { $0.begun < write.begun } ?? false
    check(!isOlder, "F4 after a write has returned, nothing older is there")
  }
}
