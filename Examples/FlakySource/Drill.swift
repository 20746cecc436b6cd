import CacheAside

/// The job: readers that go on while their source is slow, gone and back again.
struct Drill {
  private let options: Options
  private let terms: Terms
  private let cleanup: Cleanup

  init(_ options: Options, _ cleanup: Cleanup) {
    self.options = options
    self.cleanup = cleanup
    terms = Terms(options)
  }

  func run() async throws -> Report {
    let caches = try Caches {
      Feature("readings", policy: terms.policy) {
        Memory(.count(Terms.entriesInMemory), exact: true)
        Disk(limit: .megabytes(20), location: .directory(cleanup.folder))
      }
    }
    let phase = CurrentPhase()
    let source = Source(cleanup)
    let runs = Runs(terms)
    let tally = Tally()
    try await source.start(epoch: 1)

    let fetch = try caches["readings"].cached("reading") { (key: Int) in
      let run = runs.begin(key, phase.value)
      do {
        let body = try await HTTPClient().get("/readings/\(key)", port: source.port)
        let reading = try Reading(body: body)
        runs.end(run, isFailed: false)
        return reading
      } catch {
        // One that hangs is cancelled where a reader starts over: that is no failure of the source.
        runs.end(run, isFailed: true, isCancelled: Task.isCancelled)
        throw error
      }
    }

    let progress = Progress(tally)
    let start = ContinuousClock.now
    var ends: [Duration] = []
    try await withThrowingTaskGroup(of: Void.self) { readers in
      for _ in 0..<Terms.readers {
        readers.addTask { await read(fetch, runs, tally, phase) }
      }
      for next in Phase.allCases {
        switch next {
        case .warm: break
        case .slow: try await source.slowDown()
        case .down: await source.kill()
        case .back: try await source.start(epoch: 2)
        }
        if next != .warm { ends.append(ContinuousClock.now - start) }
        phase.value = next
        try await progress.wait(terms.duration(of: next, options), next)
      }
      ends.append(ContinuousClock.now - start)
      readers.cancelAll()
    }
    progress.finish()
    await source.kill()
    try await caches.close()
    return Report(terms: terms, runs: runs, tally: tally, ends: ends)
  }
}

/// One reader: asks for a key, counts what it got, pauses a little, until it is cancelled.
private func read(
  _ fetch: Memoized<Int, Reading>,
  _ runs: Runs,
  _ tally: Tally,
  _ current: CurrentPhase
) async {
  while !Task.isCancelled {
    let key = Int.random(in: 0..<Terms.keys)
    let phase = current.value
    let start = ContinuousClock.now
    do {
      let outcome = try await fetch.outcome(key)
      tally.count(outcome, of: key, in: phase, took: ContinuousClock.now - start)
    } catch is CancellationError {
      return
    } catch {
      tally.count(error, isInWindow: runs.isCovered(key), in: phase)
    }
    do { try await Task.sleep(for: .milliseconds(Int.random(in: 5...15))) } catch { return }
  }
}
