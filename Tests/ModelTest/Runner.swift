import CacheAside
import CacheAsideTesting
import Dispatch
import Synchronization

/// Runs sequences until there are enough steps, or one is wrong.
struct Runner: Sendable {
  var steps = 200_000
  var seed: UInt64 = 1
  var length = 200
  var setups = Setup.all
  var parent = "/tmp"

  /// What is under way, for whoever finds that it hangs.
  static let underWay = Mutex((name: "", steps: [Step](), step: 0))

  /// Whether nothing was wrong.
  func run() async -> Bool {
    let watchdog = startWatchdog()
    defer { watchdog.cancel() }
    var done = 0
    var seed = seed
    var counts: [String: Int] = [:]
    while done < steps {
      let setup = setups[Int(seed % UInt64(setups.count))]
      var generator = StepGenerator(seed: seed, setup: setup)
      let sequence = generator.sequence(count: length)
      if let (violation, count) = await violation(setup, sequence, seed: seed) {
        print("setup \(setup.name), seed \(seed), step \(count): \(violation)")
        await shrink(setup, Array(sequence.prefix(count)), seed: seed)
        return false
      }
      counts[setup.name, default: 0] += sequence.count
      done += sequence.count
      seed += 1
    }
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(name): \(count) steps") }
    print("\(done) steps in \(seed - self.seed) sequences, 0 violations")
    return true
  }

  /// What is wrong with a sequence, on stores of its own.
  private func violation(
    _ setup: Setup,
    _ steps: [Step],
    seed: UInt64
  ) async -> (violation: Violation, count: Int)? {
    Self.underWay.withLock { $0 = ("\(setup.name), seed \(seed), \(steps.count) steps", steps, 0) }
    guard let folder = makeTemporaryFolder(in: parent) else {
      return (Violation(description: "no folder could be made in \(parent)"), 0)
    }
    defer { removeFolder(folder) }
    let clock = ManualClock()
    do {
      // Everything runs on the clock's serial executor, so that a sequence always runs the same way.
      return try await clock.run {
        let episode = try Episode(setup, folder: folder + "/store", clock: clock)
        return await episode.run(steps)
      }
    } catch {
      return (Violation(description: "the caches could not be made: \(error)"), 0)
    }
  }

  /// Leaves out whatever is not needed, in ever smaller parts.
  ///
  /// Zeller, Hildebrandt: "Simplifying and
  /// isolating failure-inducing input", IEEE Transactions on Software Engineering 28, 2002.
  private func shrink(_ setup: Setup, _ steps: [Step], seed: UInt64) async {
    var steps = steps
    var last = ""
    var size = max(1, steps.count / 2)
    while true {
      var start = 0
      var hasShrunk = false
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        if let (violation, count) = await violation(setup, fewer, seed: seed) {
          steps = Array(fewer.prefix(count))
          last = violation.description
          hasShrunk = true
        } else {
          start += size
        }
      }
      if size == 1, !hasShrunk { break }
      size = max(1, size / 2)
    }
    print("the shortest sequence found, \(steps.count) steps: \(last)")
    for step in steps { print("  \(step)") }
  }

  /// Ends the process when one sequence takes too long.
  private func startWatchdog() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    let last = Mutex((name: "", step: 0))
    timer.schedule(deadline: .now() + 30, repeating: 30)
    timer.setEventHandler {
      let now = Self.underWay.withLock { $0 }
      if last.withLock({ $0 == (now.name, now.step) }) {
        writeLine("hangs: \(now.name), in step \(now.step):", to: 1)
        for step in now.steps.prefix(now.step + 1).suffix(30) { writeLine("  \(step)", to: 1) }
        leave(1)
      }
      last.withLock { $0 = (now.name, now.step) }
    }
    timer.resume()
    return timer
  }
}
