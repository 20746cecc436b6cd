import CacheAside

/// What driver and workers agree on: the keys and the cache over one folder.
struct Setup {
  static let ownedKeys = 200
  static let sharedKeys = 40
  /// Tasks of a worker; each has its own part of the worker's keys.
  static let lanes = 2

  var folder: String
  /// The most bytes on disk; zero means no limit.
  var limit: Int
  /// Whether records are overwritten in place, a fault that the test must find.
  var isNaive: Bool

  static func ownedKey(_ worker: Int, _ index: Int) -> String { "owned/\(worker)/\(index)" }
  static func sharedKey(_ index: Int) -> String { "shared/\(index)" }

  /// A cache whose memory holds nothing, so that every call meets the disk.
  func open() throws -> Cache<String, [UInt8]> {
    let store = try DiskStore(
      directory: folder,
      limit: limit == 0 ? .unlimited : .bytes(limit),
      files: isNaive ? NaiveFileSystem() : POSIXFileSystem()
    )
    return try Cache(name: "kill") {
      Memory(.count(0))
      Store(store, faultPolicy: .fail)
    }
  }
}
