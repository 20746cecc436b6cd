import CacheAside
import Synchronization

/// Mixed use of the features of some caches.
final class Soak: Sendable {
  private let caches: Caches
  private let folder: String
  private let leaks: Bool
  private let isStopped = Atomic<Bool>(false)
  private let operations = Atomic<Int>(0)
  private let prices: Memoized<Int, Int>
  private let users: Memoized<Int, [UInt8]>
  private let reports: BatchMemoized<Int, Int>
  private let features: [CacheFeature]

  init(leaks: Bool) throws {
    self.leaks = leaks
    folder = try makeFolder()
    var limits = CachePolicy()
    limits.hardTimeout = .seconds(20)
    limits.abandonAfter = .seconds(60)
    limits.maximumConcurrentLoads = 8
    caches = try Caches { [folder, limits] in
      Feature("prices", expiry: .milliseconds(400), staleWhileRevalidate: .seconds(5)) {
        Memory(.count(5_000))
      }
      Feature("users", expiry: .seconds(2), policy: limits) {
        Memory(.count(2_000))
        Disk(limit: .megabytes(20), location: .directory(folder))
      }
      Feature("reports", expiry: .seconds(1)) { Memory(.count(5_000)) }
    }
    prices = try caches["prices"].cached("price") { (item: Int) in
      await Task.yield()
      return item
    }
    users = try caches["users"].cached("user", tags: ["all"]) { (id: Int) in
      if id % 50 == 0 { try await Task.sleep(for: .milliseconds(20)) }
      if id % 97 == 0 { throw SoakError() }
      return [UInt8](repeating: UInt8(truncatingIfNeeded: id), count: 300)
    }
    reports = try caches["reports"].cachedBatch(key: { "report/\($0)" }) { (ids: [Int]) in
      await Task.yield()
      return Dictionary(uniqueKeysWithValues: ids.map { ($0, $0) })
    }
    features = try [caches["prices"], caches["users"], caches["reports"]]
  }

  /// Uses the caches until the soak is stopped.
  func use(as number: Int) async throws {
    var random = SystemRandomNumberGenerator()
    while !isStopped.load(ordering: .relaxed) {
      for _ in 0..<100 { try await step(number, &random) }
      operations.add(100, ordering: .relaxed)
      // The reads of a while, then a pause: as many as a machine that has other work can do.
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func step(_ number: Int, _ random: inout SystemRandomNumberGenerator) async throws {
    // Few enough to have been everywhere within a minute, also on a machine that has other work.
    let item = Int.random(in: 0..<1_000, using: &random)
    let user = item % 200
    switch (number, Int.random(in: 0..<100, using: &random)) {
    case (_, 0):
      let caller = Task { [users] in try await users(50 * user) }
      caller.cancel()
      _ = await caller.result
    case (0, 1): try await features[1].remove(.tag("all"))
    case (1, 1): try await features[1].remove(.namespace(["tenant": "\(item % 5)"]))
    case (2, 1): try await features[0].removeAll()
    case (_, 2): try await users.remove(user)
    case (_, 3...12):
      _ = try? await Caches.withScope(["tenant": "\(item % 5)"]) { [users] in
        try await users(user)
      }
    case (_, 13...20): _ = try await reports((0..<10).map { (item + $0) % 1_000 })
    case (_, 21...50): _ = try? await users(user)
    default: _ = try await prices(item)
    }
    if leaks, item % 10 == 0 { DeadlineQueue.system.leak() }
  }

  func stop() { isStopped.store(true, ordering: .relaxed) }

  func close() async throws {
    try await caches.close()
    try removeFolder(folder)
  }

  func sample(at seconds: Double) -> Sample {
    let statistics = features.map(\.statistics)
    return Sample(
      seconds: seconds,
      kilobytes: residentKilobytes(),
      descriptors: count(in: "/proc/self/fd"),
      threads: count(in: "/proc/self/task"),
      deadlines: DeadlineQueue.system.count,
      sleepers: DeadlineQueue.system.sleeperCount,
      flights: statistics.reduce(0) { $0 + $1.flights },
      waiters: statistics.reduce(0) { $0 + $1.waiters },
      operations: operations.load(ordering: .relaxed)
    )
  }
}

struct SoakError: Error {}

extension DeadlineQueue {
  /// The planted fault: a deadline that outlives its load.
  fileprivate func leak() { _ = add(at: .max - 1) {} }
}
