// A store with one file per entry.
//
// What: records (see Envelope) in `<folder>/<2 hex>/<hex>`, written to a unique name in
// `<folder>/tmp` and renamed into place. Invariants: a file in a shard is whole at every instant; the
// key in the record is compared, never the name trusted; file times are hints only; nothing at all is
// locked between processes; every operation makes at most 12 file calls however many entries there
// are, except the first that needs the totals, which counts the folder once, and an eviction.
// A folder that vanishes is made again. Within the process, a shard's lock is held only over the few
// calls that must agree with the shard's totals; readers take no lock.
// Called by the loading engine through CacheStore and BlockingCacheStore.
import Synchronization

/// A store that keeps every entry in a file of its own.
///
/// Several processes may use one folder at once, without locks. Files are private to the user, and
/// the folder must belong to that user. What the store does by itself in the background, removing
/// expired entries bit by bit, begins with its first use and ends with ``close()`` or with its last
/// reference.
public final class DiskStore: BlockingCacheStore {
  /// The short name for outcomes, events and statistics: `disk`.
  public let name = "disk"

  /// The absolute path of the store's folder, which exists once something was stored.
  public let directory: String

  /// How much the store may hold.
  public var limit: DiskLimit { currentLimit.withLock { $0 } }

  private let currentLimit: Lock<DiskLimit>

  /// What an acknowledged write survives.
  public let durability: DiskDurability

  /// When the system lets the files be read; Apple platforms only.
  public let protection: FileProtection

  /// Whether entries stay until somebody asks for their removal.
  public let isPermanent: Bool

  let files: any FileSystem
  let layout: DiskLayout
  let totals = DiskTotals()
  let diskIndex = DiskIndex()
  let uses = DiskUses()
  let threads = BlockingThreads(label: "CacheAside.DiskStore", width: 4)
  let evictionGate = Lock<Void>(())
  let sweeper: DiskSweeper
  let ledgers = DiskLedgerState()
  let ledgerGate = Lock<Void>(())
  let sweptMarks = DiskShards(LoadMark.none)
  /// How often a round of clearing was asked for that is not done.
  let clearingAsked = Atomic<Int>(0)
  /// What runs in the background.
  let background = WorkGate()
  /// What was removed by a stamp.
  let stampedDebt = ErasureDebt()
  /// What was removed, of which a temporary file may be left.
  let temporaryDebt = ErasureDebt()
  /// The temporary files of this store that could not be unlinked.
  let leftovers = Lock<[String]>([])
  let excludesFromBackup: Bool
  private let context: Lock<StoreContext?>
  private let ownTime: TimeSource?
  /// A clock that takes the place of the system's, by which the times of the folder go.
  let folderTime: TimeSource?

  /// Opens, without reading anything, the store of a name at a location.
  ///
  /// - Parameters:
  ///   - name: the name of the folder at the location, without `/`.
  ///   - location: where the folder is.
  ///   - limit: how much it may hold; by default 100 MB, in a permanent location no limit.
  ///   - durability: what an acknowledged write survives; by default the end of the process, in a
  ///     permanent location a loss of power too.
  ///   - protection: when the system lets the files be read; Apple platforms only.
  ///   - isExcludedFromBackup: whether backups leave the folder out, by default when the location is
  ///     not permanent; Apple platforms only.
  ///   - sweepInterval: how long one round of removing expired entries takes, at least a second; the
  ///     pauses grow while the store is not used.
  ///   - time: the clock; by default that of the first cache that uses the store.
  ///   - files: the file system.
  /// - Throws: `CacheError` with the code `invalidConfiguration` when the name or the limit is not
  ///   allowed or the folder belongs to another user.
  public convenience init(
    name: String,
    location: DiskLocation = .caches,
    limit: DiskLimit? = nil,
    durability: DiskDurability? = nil,
    protection: FileProtection = .completeUntilFirstUserAuthentication,
    isExcludedFromBackup: Bool? = nil,
    sweepInterval: Duration = .seconds(1_800),
    time: TimeSource? = nil,
    files: any FileSystem = POSIXFileSystem()
  ) throws {
    try self.init(
      folder: location.folder(named: name),
      isPermanent: location.isPermanent,
      limit: limit,
      durability: durability,
      protection: protection,
      isExcludedFromBackup: isExcludedFromBackup,
      sweepInterval: sweepInterval,
      time: time,
      files: files
    )
  }

  /// Opens, without reading anything, the store in a folder of its own.
  ///
  /// - Parameters:
  ///   - directory: the folder's path; whatever else is in it may be removed.
  ///   - limit: how much it may hold; by default 100 MB.
  ///   - durability: what an acknowledged write survives.
  ///   - protection: when the system lets the files be read; Apple platforms only.
  ///   - sweepInterval: how long one round of removing expired entries takes, at least a second.
  ///   - time: the clock; by default that of the first cache that uses the store.
  ///   - files: the file system.
  /// - Throws: `CacheError` with the code `invalidConfiguration` when the path or the limit is not
  ///   allowed or the folder belongs to another user.
  public convenience init(
    directory: String,
    limit: DiskLimit? = nil,
    durability: DiskDurability = .process,
    protection: FileProtection = .completeUntilFirstUserAuthentication,
    sweepInterval: Duration = .seconds(1_800),
    time: TimeSource? = nil,
    files: any FileSystem = POSIXFileSystem()
  ) throws {
    try self.init(
      folder: StandardFolder.absolute(DiskLocation.checked(directory)),
      isPermanent: false,
      limit: limit,
      durability: durability,
      protection: protection,
      sweepInterval: sweepInterval,
      time: time,
      files: files
    )
  }

  /// Opens a store; `naming` gives a key's file name, at least two lower-case hex digits.
  init(
    folder: String,
    isPermanent: Bool,
    limit: DiskLimit?,
    durability: DiskDurability?,
    protection: FileProtection,
    isExcludedFromBackup: Bool? = nil,
    sweepInterval: Duration,
    time: TimeSource?,
    folderTime: TimeSource? = nil,
    files: any FileSystem,
    naming: @escaping @Sendable (CacheKey) -> String = { $0.fileName }
  ) throws {
    let limit = limit ?? (isPermanent ? .unlimited : .megabytes(100))
    try Self.check(limit, isPermanent: isPermanent)
    directory = folder
    layout = DiskLayout(root: folder, naming: naming)
    currentLimit = Lock(limit)
    self.durability = durability ?? (isPermanent ? .power : .process)
    self.protection = protection
    self.isPermanent = isPermanent
    excludesFromBackup = isExcludedFromBackup ?? !isPermanent
    self.files = files
    ownTime = time
    self.folderTime = folderTime
    context = Lock(nil)
    sweeper = DiskSweeper(interval: sweepInterval)
    try checkOwner()
  }

  deinit { sweeper.stop() }

  /// What the store does natively: listing, lasting, sharing, compare-and-delete, invalidating.
  public var capabilities: StoreCapabilities {
    [.scan, .persistent, .shared, .compareAndDelete, .invalidate]
  }

  /// Takes the clock of the first cache that uses the store, and reports to that cache.
  ///
  /// - Parameter context: the clock, and where to report events.
  public func attach(_ context: StoreContext) {
    self.context.withLock { current in
      if current == nil { current = context }
    }
  }

  /// Changes how much the store may hold; what is too much leaves with the next write.
  ///
  /// - Parameter limit: the new limit.
  /// - Throws: `CacheError` with the code `invalidConfiguration` when it is negative, or the location
  ///   is permanent.
  public func setLimit(_ limit: DiskLimit) throws {
    try Self.check(limit, isPermanent: isPermanent)
    currentLimit.withLock { $0 = limit }
  }

  private static func check(_ limit: DiskLimit, isPermanent: Bool) throws {
    try limit.validate()
    guard !isPermanent || limit == .unlimited else {
      throw CacheError(
        .invalidConfiguration,
        "a permanent disk store evicts nothing and takes no limit; place it at .caches, or use "
          + ".unlimited"
      )
    }
  }

  /// The clock.
  var time: TimeSource { ownTime ?? context.withLock { $0?.time } ?? .system }

  /// Reports what no call throws.
  func report(_ kind: CacheEvent.Kind, _ key: CacheKey?, _ error: (any Error)?) {
    guard let report = context.withLock({ $0?.report }) else { return }
    // The write that it belongs to must know of it before the report is sent.
    if kind == .rejected, let key { RejectedWrites.note(key) }
    HeldReports.report { report(kind, key, error) }
  }

  private func checkOwner() throws {
    let status: FileStatus
    do throws(FileSystemError) {
      status = try files.status(at: directory)
    } catch {
      // What cannot be looked at now is met again, and reported, by the first operation.
      return
    }
    guard status.kind == .directory, status.owner == files.user else {
      throw CacheError(
        .invalidConfiguration,
        "the disk store's folder \(directory) is not a directory of the user who runs this program"
      )
    }
  }
}
