import Synchronization

/// A set of configured features: which stores and lifetimes each part of a program uses.
///
/// Make one at start-up and hand it to ``bootstrap(_:)``, or keep it and ask it for features:
///
/// ```swift
/// let caches = try Caches {
///   Defaults(expiry: .minutes(10))
///   Feature("profiles", expiry: .minutes(5)) {
///     Memory(.count(10_000))
///     Disk(limit: .megabytes(50))
///   }
/// }
/// let fetchProfile = try caches["profiles"].cached(key: { "profile/\($0)" }) { (id: Int) in
///   try await api.profile(id)
/// }
/// ```
public final class Caches: Sendable {
  /// The feature of calls that name none.
  static let defaultFeature = "default"

  private let registries: Lock<[String: TableRegistry]>
  private let makesFeatures: Bool
  private let time: TimeSource
  /// The feature of calls that name none; configured as `default`, else memory only.
  let defaultTables: TableRegistry

  /// Makes caches from a configuration in code.
  ///
  /// - Parameters:
  ///   - strict: whether settings that contradict each other are refused, and a call whose value can never
  ///     reach a store throws; they are events otherwise.
  ///   - time: the clock of all features.
  ///   - content: `Defaults` and `Feature` components, and those of third parties.
  /// - Throws: `CacheError` for a configuration that names a feature twice, has no stores or
  ///   contradicts itself; whatever a component's store throws when it is opened.
  public convenience init(
    strict: Bool = false,
    time: TimeSource = .system,
    @CachesBuilder _ content: () throws -> some CachesComponent
  ) throws {
    var plan = CachesPlan(time: time, isStrict: strict)
    try content().apply(to: &plan)
    try self.init(plan: plan, makesFeatures: false)
  }

  init(plan: CachesPlan, makesFeatures: Bool) throws {
    var registries: [String: TableRegistry] = [:]
    for feature in plan.features {
      registries[feature.name] = TableRegistry(
        try feature.makeCore(
          defaults: plan.defaults,
          time: plan.time,
          isStrict: plan.isStrict
        )
      )
    }
    self.makesFeatures = makesFeatures
    time = plan.time
    defaultTables =
      try registries[Self.defaultFeature]
      ?? TableRegistry(
        FeaturePlan(name: Self.defaultFeature, stores: [Memory()])
          .makeCore(defaults: plan.defaults, time: plan.time)
      )
    registries[Self.defaultFeature] = defaultTables
    self.registries = Lock(registries)
  }

  /// Caches without any configuration: every feature is made on demand, in memory.
  ///
  /// Each access makes a new set, so that tests which bind it do not meet.
  public static var inMemory: Caches { inMemory(time: .system) }

  /// Caches in memory that make every feature on demand, on a clock.
  ///
  /// - Parameter time: the clock of all features, for example a manual one.
  /// - Returns: a new set.
  public static func inMemory(time: TimeSource) -> Caches {
    Caches(inMemory: time, makesFeatures: true)
  }

  /// Makes caches in memory without a configuration.
  init(inMemory time: TimeSource, makesFeatures: Bool) {
    self.makesFeatures = makesFeatures
    self.time = time
    defaultTables = Self.inMemory(Self.defaultFeature, time: time)
    registries = Lock([Self.defaultFeature: defaultTables])
  }

  private static func inMemory(
    _ name: String,
    time: TimeSource
  ) -> TableRegistry {
    TableRegistry(
      FeatureCore(name: name, terms: .none, memory: MemoryPlan(), tiers: [], time: time)
    )
  }

  /// The feature of a name.
  ///
  /// - Parameter name: the name it was configured with.
  /// - Returns: a handle with the same `cached` forms as the global ones.
  /// - Throws: `CacheError` with the code `unknownFeature` that names the nearest feature.
  public subscript(name: String) -> CacheFeature {
    get throws {
      if let tables = registries.withLock({ $0[name] }) { return CacheFeature(tables) }
      guard makesFeatures else { throw unknown(name) }
      let made = Self.inMemory(name, time: time)
      return CacheFeature(
        registries.withLock { registries in
          if let found = registries[name] { return found }
          registries[name] = made
          return made
        }
      )
    }
  }

  /// The names of the features, sorted.
  public var featureNames: [String] { all.map(\.name).sorted() }

  var all: [FeatureCore] { registries.withLock { $0.values.map(\.core) } }

  private func unknown(_ name: String) -> CacheError {
    let names = featureNames
    let nearest = NearestName.of(name, in: names).map { "; did you mean \"\($0)\"?" } ?? ""
    return CacheError(
      .unknownFeature,
      "no feature \"\(name)\" is configured; there are \(names.joined(separator: ", "))\(nearest)"
    )
  }

  /// Waits until everything written behind has reached its store, and erases what was removed, for all
  /// features.
  ///
  /// For an app that goes to the background.
  ///
  /// - Throws: the first failure, after all features were flushed; `CacheError` with the code `closed` once
  ///   the stores were closed.
  public nonisolated(nonsending) func flush() async throws {
    var failure: (any Error)?
    for core in all {
      do { try await core.flush() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Ends all features: what has begun is awaited, and nothing is written any more.
  ///
  /// For the end of a program. Once it has begun, loads still call their producers, but store nothing;
  /// every other method throws `CacheError` with the code `closed`, and what cannot throw reports it as
  /// an event. Writes and removals that have begun are awaited, then the stores are flushed, which
  /// erases what was removed, and closed. Memory is empty afterwards.
  ///
  /// Only the first call does all this. A later one waits for it, cancels nothing, and ends as it has
  /// ended, however long ago: it returns where that has returned, and throws the same error again where
  /// that has thrown.
  ///
  /// - Parameter limit: how long to wait for what has begun; `nil` as long as it takes. At its end what is
  ///   left is cancelled, and whoever waits for it gets an error. For a later call, how long to wait for
  ///   the first.
  /// - Throws: `CacheError` with the code `timedOut` that names what had not ended in time, and may still be
  ///   written; else the first failure of a store to write or erase, after all were closed. A later
  ///   call whose time is over before the first has ended throws `timedOut`, too, and says what that
  ///   waits for.
  public nonisolated(nonsending) func close(within limit: Window? = nil) async throws {
    // By name, so that every call throws the same.
    let cores = all.sorted { $0.name < $1.name }
    let failures = await withTaskGroup(of: (Int, any Error)?.self) { group in
      for (index, core) in cores.enumerated() {
        group.addTask {
          do { try await core.close(within: limit) } catch { return (index, error) }
          return nil
        }
      }
      var failures: [(index: Int, error: any Error)] = []
      for await failure in group { if let failure { failures.append(failure) } }
      return failures.sorted { $0.index < $1.index }.map(\.error)
    }
    let unfinished = failures.first { ($0 as? CacheError)?.code == .timedOut }
    if let failure = unfinished ?? failures.first { throw failure }
  }
}
