import Synchronization
import Testing

@testable import CacheAside

/// Eight tasks on one cache over memory and disk, and what must hold whatever their order.
///
/// Every key belongs to one task, its owner: only the owner writes and removes it, and each time the
/// key's source is one version further. Everybody reads. A call that begins after a write or removal
/// has returned never sees an older version, whichever way it is answered.
final class EngineStress: Sendable {
  struct Stamp: Codable, Sendable {
    var key: Int
    var version: Int
    var filler: [UInt8]
  }

  enum Failure: Error { case wanted }

  static let tasks = 8
  static let keysPerTask = 8

  let cache: Cache<Int, Stamp>
  private let clock = HandClock()
  private let sources: [Source]
  private let lookups = Atomic<Int>(0)
  private let cancelled = Atomic<Int>(0)
  /// Twice the calls of `removeAll` that have ended, and one more while one goes on.
  private let clearings = Atomic<Int>(0)

  /// Where a key's values come from.
  private final class Source: Sendable {
    /// The newest version, from the moment its write begins.
    let current = Atomic<Int>(0)
    /// The newest version whose write has returned.
    let written = Atomic<Int>(0)
  }

  init(folder: String) throws {
    let clock = clock
    cache = try Cache(name: "stress", expiry: .seconds(60), time: clock.source) {
      Memory(.count(48))
      Disk(limit: .kilobytes(16), location: .directory(folder))
    }
    sources = (0..<Self.tasks * Self.keysPerTask).map { _ in Source() }
  }

  /// Runs a number of operations a task, then checks what must hold at rest.
  func run(operations: Int) async throws {
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<Self.tasks {
        group.addTask { [self] in
          var random = SplitMix(state: UInt64(1_000 + task))
          for _ in 0..<operations { await step(of: task, &random) }
        }
      }
    }
    // The work of a load that everybody left may outlive its callers by a moment.
    await until { cache.isQuiet }
    let statistics = cache.statistics
    #expect(statistics.flights == 0)
    #expect(statistics.waiters == 0)
    let most = UInt64(lookups.load(ordering: .relaxed))
    // A call that is cancelled before it looks is none.
    #expect(statistics.lookups <= most)
    #expect(statistics.lookups + UInt64(cancelled.load(ordering: .relaxed)) >= most)
    #expect(statistics.tiers.allSatisfy { $0.damaged == 0 && $0.decodeFailures == 0 })
    #expect(statistics.tiers.allSatisfy { $0.readFailures == 0 && $0.writeFailures == 0 })
    #expect(cache.count <= 48)
    for key in sources.indices {
      let stamp = try await cache.cached(key) { [self] in produce(key) }
      check(stamp, key, since: sources[key].current.load(ordering: .relaxed), "at rest")
    }
  }

  private func step(of task: Int, _ random: inout SplitMix) async {
    let key = Int.random(in: sources.indices, using: &random)
    let own = task * Self.keysPerTask + key % Self.keysPerTask
    do {
      switch Int.random(in: 0..<64, using: &random) {
      case 0: try await write(own) { try await self.cache.set($0, for: own) }
      case 1: try await write(own) { self.cache[own] = $0 }
      case 2: try await write(own) { _ in try await self.cache.remove(own) }
      case 3: try await write(own) { _ in self.cache[own] = nil }
      case 4: try await write(own) { _ in try await self.cache.expire(own) }
      case 5: cache.removeFromMemory(key)
      case 6: clock.advance(milliseconds: 50)
      case 7 where key == 0: try await removeAll()
      case 7 where key == 1: try await cache.removeExpired()
      case 7 where key == 2: cache.removeExpiredBlocking()
      case 8: look(at: cache.statistics)
      case 9: try await failingLoad(key)
      case 10: await cancelledLoad(key)
      case 11..<24: read(key, "subscript") { cache[key] }
      case 24..<40: try await readLater(key, "value") { try await self.cache.value(for: key) }
      case 40..<48: check(cache.peek(key), key, since: seen(key), "peek")
      default:
        try await readLater(key, "cached") {
          try await self.cache.cached(key) { self.produce(key) }
        }
      }
    } catch Failure.wanted {
      // From a failing load, led or joined.
    } catch {
      Issue.record("an operation on key \(key) threw \(error)")
    }
  }

  // MARK: Writing

  private func write(_ key: Int, _ body: (Stamp) async throws -> Void) async throws {
    let version = sources[key].current.add(1, ordering: .sequentiallyConsistent).newValue
    let clearings = clearings.load(ordering: .sequentiallyConsistent)
    try await body(stamp(key, version))
    // A write that `removeAll` overtakes leaves the removing to it, and it may not be done.
    guard clearings % 2 == 0, clearings == self.clearings.load(ordering: .sequentiallyConsistent)
    else { return }
    sources[key].written.store(version, ordering: .sequentiallyConsistent)
    // Nobody else moves the version, so the owner sees this one or nothing.
    if let stamp = cache.peek(key) { #expect(stamp.version == version) }
  }

  private func stamp(_ key: Int, _ version: Int) -> Stamp {
    let filler = [UInt8](repeating: UInt8(truncatingIfNeeded: version), count: 32 + version % 96)
    return Stamp(key: key, version: version, filler: filler)
  }

  private func produce(_ key: Int) -> Stamp {
    stamp(key, sources[key].current.load(ordering: .sequentiallyConsistent))
  }

  private func removeAll() async throws {
    // One at a time, so that an odd count says that one goes on.
    let count = clearings.load(ordering: .sequentiallyConsistent) & ~1
    let (isFree, _) = clearings.compareExchange(
      expected: count,
      desired: count + 1,
      ordering: .sequentiallyConsistent
    )
    guard isFree else { return }
    try await cache.removeAll()
    clearings.store(count + 2, ordering: .sequentiallyConsistent)
  }

  // MARK: Reading

  private func seen(_ key: Int) -> Int {
    sources[key].written.load(ordering: .sequentiallyConsistent)
  }

  private func read(_ key: Int, _ name: String, _ body: () -> Stamp?) {
    let seen = seen(key)
    lookups.add(1, ordering: .relaxed)
    check(body(), key, since: seen, name)
  }

  private func readLater(
    _ key: Int,
    _ name: String,
    _ body: () async throws -> Stamp?
  ) async throws {
    let seen = seen(key)
    lookups.add(1, ordering: .relaxed)
    check(try await body(), key, since: seen, name)
  }

  private func failingLoad(_ key: Int) async throws {
    try await readLater(key, "failing load") {
      try await self.cache.cached(key) { () async throws -> Stamp in
        await Task.yield()
        throw Failure.wanted
      }
    }
  }

  private func cancelledLoad(_ key: Int) async {
    let seen = seen(key)
    lookups.add(1, ordering: .relaxed)
    let task = Task { [self] in
      try await cache.cached(key) {
        await Task.yield()
        return self.produce(key)
      }
    }
    await Task.yield()
    task.cancel()
    switch await task.result {
    case .success(let stamp): check(stamp, key, since: seen, "cancelled load")
    case .failure(let error):
      if error is CancellationError { cancelled.add(1, ordering: .relaxed) }
      #expect(error is CancellationError || error is Failure)
    }
  }

  private func check(_ stamp: Stamp?, _ key: Int, since version: Int, _ name: String) {
    guard let stamp else { return }
    #expect(stamp.key == key)
    #expect(stamp.version >= version, "\(name) of key \(key)")
    #expect(stamp.version <= sources[key].current.load(ordering: .sequentiallyConsistent))
    #expect(stamp.filler.count == 32 + stamp.version % 96)
    #expect(stamp.filler.allSatisfy { $0 == UInt8(truncatingIfNeeded: stamp.version) })
  }

  private func look(at statistics: CacheStatistics) {
    #expect(statistics.tables == 1)
    #expect(statistics.flights >= 0 && statistics.waiters >= 0)
    #expect(statistics.entries <= 48)
  }
}
