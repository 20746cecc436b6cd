/// Files as a store of a feature: one an entry, in a folder that carries the feature's name.
public struct Disk: StoreComponent {
  private let folder: String?
  private let location: DiskLocation
  private let limit: DiskLimit?
  private let durability: DiskDurability?
  private let protection: FileProtection
  private let faultPolicy: TierFaultPolicy
  private let readDeadline: Window?
  private let writeDeadline: Window?

  /// Files at a location.
  ///
  /// - Parameters:
  ///   - limit: how much the folder may hold; by default 100 MB, in a permanent location no limit.
  ///   - location: where the folder is: `.caches`, `.permanent` or `.directory(_:)`.
  ///   - folder: the folder's name; `nil` takes the feature's.
  ///   - durability: what an acknowledged write survives; by default the end of the process, in a
  ///     permanent location a loss of power too.
  ///   - protection: when the system lets the files be read; Apple platforms only.
  ///   - faultPolicy: what a failure means for a call.
  ///   - readDeadline: how long an asynchronous read may take until it is a miss; `nil` for no limit.
  ///   - writeDeadline: how long an asynchronous write or removal may take until it has failed; `nil`
  ///     for no limit.
  public init(
    limit: DiskLimit? = nil,
    location: DiskLocation = .caches,
    folder: String? = nil,
    durability: DiskDurability? = nil,
    protection: FileProtection = .completeUntilFirstUserAuthentication,
    faultPolicy: TierFaultPolicy = .miss,
    readDeadline: Window? = nil,
    writeDeadline: Window? = nil
  ) {
    self.limit = limit
    self.location = location
    self.folder = folder
    self.durability = durability
    self.protection = protection
    self.faultPolicy = faultPolicy
    self.readDeadline = readDeadline
    self.writeDeadline = writeDeadline
  }

  /// Opens the store; reads nothing.
  ///
  /// - Parameter plan: the stores above it.
  /// - Throws: `CacheError` for a name, limit or folder that is not allowed.
  public func apply(to plan: inout StoresPlan) throws {
    let store = try DiskStore(
      name: folder ?? plan.feature,
      location: location,
      limit: limit,
      durability: durability,
      protection: protection,
      time: plan.time
    )
    plan.add(
      TierPlan(
        store: store,
        faultPolicy: faultPolicy,
        readDeadline: readDeadline,
        writeDeadline: writeDeadline
      )
    )
  }
}
