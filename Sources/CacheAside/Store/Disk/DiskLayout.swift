import Synchronization

/// The paths inside a store's folder: `<2 hex>/<hex>` for records, `<2 hex>/index` for what is known
/// about them, `tmp` and `aside` beside them.
struct DiskLayout: Sendable {
  /// Where one record lives.
  struct Place: Hashable, Sendable {
    /// Which of the 256 shards.
    var shard: Int
    /// The file's name in it.
    var name: String
    /// The file's path.
    var path: String
  }

  static let shardCount = 256
  /// The name of a shard's index, which no record can have.
  static let indexName = "index"

  let root: String
  let naming: @Sendable (CacheKey) -> String
  /// What was invalidated by tag or namespace.
  let ledgerPath: String

  init(root: String, naming: @escaping @Sendable (CacheKey) -> String) {
    self.root = root
    self.naming = naming
    ledgerPath = root + "/ledger"
  }

  /// The folder of files that are being written, and of records that are being taken out.
  var temporaryFolder: String { root + "/tmp" }

  /// The folder of damaged records of a permanent store.
  var asideFolder: String { root + "/aside" }

  /// Where the ledger is while it is rewritten; the same for all processes.
  var takenLedgerPath: String { temporaryFolder + "/ledger.rewritten" }

  func place(of key: CacheKey) -> Place { place(named: naming(key)) }

  private func place(named name: String) -> Place {
    place(named: name, in: Self.shard(beginning: name) ?? 0)
  }

  func place(named name: String, in shard: Int) -> Place {
    Place(shard: shard, name: name, path: path("/", Self.shardNames[shard], "/", name))
  }

  /// A path below the root, put together in one allocation.
  private func path(
    _ first: String,
    _ second: String,
    _ third: String = "",
    _ fourth: String = ""
  ) -> String {
    let count =
      root.utf8.count + first.utf8.count + second.utf8.count + third.utf8.count
      + fourth.utf8.count
    return unsafe String(unsafeUninitializedCapacity: count) { path in
      var filled = 0
      func append(_ part: String) {
        var part = part
        part.withUTF8 { part in
          let rest = unsafe UnsafeMutableBufferPointer(rebasing: path[filled...])
          filled = unsafe filled + rest.initialize(fromContentsOf: part)
        }
      }
      append(root)
      append(first)
      append(second)
      append(third)
      append(fourth)
      return filled
    }
  }

  func folder(ofShard shard: Int) -> String { root + "/" + Self.shardNames[shard] }

  /// Where the index of a shard is.
  func indexPath(ofShard shard: Int) -> String {
    folder(ofShard: shard) + "/" + Self.indexName
  }

  /// Which shard a folder of that name is.
  static func shard(named name: String) -> Int? {
    name.utf8.count == 2 ? shard(beginning: name) : nil
  }

  /// The number of the first two digits of a name.
  private static func shard(beginning name: String) -> Int? {
    var digits = name.utf8.makeIterator()
    guard let high = digits.next().flatMap(Hex.value(ofLowercaseDigit:)),
      let low = digits.next().flatMap(Hex.value(ofLowercaseDigit:))
    else { return nil }
    return Int(high << 4 | low)
  }

  /// Where a record waits between being taken out and being judged; the same for all processes.
  func transit(_ place: Place) -> String {
    temporaryFolder + "/" + place.name + Self.transitSuffix
  }

  /// The place of a record whose name while it waits is given, or `nil` for other names.
  func place(inTransit name: String) -> Place? {
    guard name.hasSuffix(Self.transitSuffix) else { return nil }
    return place(named: String(name.dropLast(Self.transitSuffix.count)))
  }

  /// A name that no other writer uses, in this process or another.
  func temporaryPath() -> String {
    let number = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
    return path("/tmp/", Self.writerPrefix, String(number))
  }

  /// With what the temporary names of this process begin.
  static var writerPrefix: String {
    let process = SystemCall.processIdentifier
    // A process that was forked has another number and the same token.
    return process == first.process ? first.prefix : String(process) + token
  }

  private static let transitSuffix = ".taken"
  private static let token = "-" + String(UInt64.random(in: .min ... .max), radix: 16) + "-"
  private static let first = {
    let process = SystemCall.processIdentifier
    return (process: process, prefix: String(process) + token)
  }()
  private static let counter = Atomic<UInt64>(0)
  private static let shardNames = (0..<shardCount).map { shard in
    (shard < 16 ? "0" : "") + String(shard, radix: 16)
  }
}
