import Synchronization

@testable import CacheAside

/// A disk store in a folder of its own, with a clock that stands still and what it reported.
final class DiskFixture: Sendable {
  let folder: TemporaryFolder
  let clock: DiskClock
  let files: any FileSystem
  private let events = Lock<[CacheEvent.Kind]>([])

  init(
    _ folder: TemporaryFolder? = nil,
    clock: DiskClock = DiskClock(),
    files: any FileSystem = POSIXFileSystem()
  ) throws {
    self.folder = try folder ?? TemporaryFolder()
    self.clock = clock
    self.files = files
  }

  /// The path of the store's folder.
  var path: String { folder.path + "/cache" }

  /// What was reported so far.
  var reported: [CacheEvent.Kind] { events.withLock { $0 } }

  /// So long a round that the clock never gets to the end of a pause, 45 days: nothing is removed
  /// behind a test's back.
  static let noSweeps = Duration.seconds(1_000_000_000)

  /// Opens the store; again and again gives stores on the same folder.
  func open(
    limit: DiskLimit? = .unlimited,
    isPermanent: Bool = false,
    durability: DiskDurability = .process,
    sweepInterval: Duration = DiskFixture.noSweeps,
    folderTime: TimeSource? = nil,
    naming: @escaping @Sendable (CacheKey) -> String = { $0.fileName }
  ) throws -> DiskStore {
    let store = try DiskStore(
      folder: path,
      isPermanent: isPermanent,
      limit: limit,
      durability: durability,
      protection: .none,
      sweepInterval: sweepInterval,
      time: clock.source,
      folderTime: folderTime,
      files: files,
      naming: naming
    )
    store.attach(
      StoreContext(time: clock.source) { [weak self] kind, _, _ in
        self?.events.withLock { $0.append(kind) }
      }
    )
    return store
  }

  /// Opens the store and calls a function with it at every report.
  func openReporting(
    limit: DiskLimit,
    _ report: @escaping @Sendable (DiskStore) -> Void
  ) throws -> DiskStore {
    let store = try DiskStore(
      directory: path,
      limit: limit,
      sweepInterval: Self.noSweeps,
      time: clock.source,
      files: files
    )
    store.attach(
      StoreContext(time: clock.source) { [weak store] _, _, _ in
        if let store { report(store) }
      }
    )
    return store
  }

  /// An entry stored now that is fresh and kept for some seconds.
  func entry(
    _ payload: [UInt8]?,
    seconds: Int64? = nil,
    keptSeconds: Int64? = nil
  ) -> CacheEntry {
    let now = clock.wallMicroseconds
    return CacheEntry(
      payload: payload,
      codec: .raw,
      type: 1,
      created: now,
      freshUntil: seconds.map { now + $0 * 1_000_000 } ?? .max,
      keptUntil: (keptSeconds ?? seconds).map { now + $0 * 1_000_000 } ?? .max
    )
  }
}

/// A key in a namespace.
func diskKey(_ text: String, _ namespace: String = "feature") -> CacheKey {
  CacheKey(text: text, namespace: Namespace(namespace))
}
