import CacheAside

/// A store and a folder of plain files that hold the same number of files of the same size.
///
/// Both have the same 256 folders, made before anything is timed, and the same file names.
final class DiskRoom {
  let scale: DiskScale
  private let folder: BenchmarkFolder
  private let raw: RawFiles
  private let store: DiskStore
  private let keys: [CacheKey]
  private var random = SplitMix64(state: 11)

  init(_ scale: DiskScale) throws {
    self.scale = scale
    batch = min(500, scale.count / 5)
    folder = try BenchmarkFolder()
    // Those beyond the count are created and removed again.
    keys = (0..<(scale.count + batch * (Self.pairs + 1))).map {
      "key \($0)" as CacheKey
    }
    store = try Self.open(folder.path + "/store", .gigabytes(1_000))
    for key in keys.prefix(scale.count) { try store.setBlocking(Self.entry(scale.size), for: key) }
    let usage = try store.usageBlocking()
    raw = try RawFiles(
      folder.path + "/raw",
      names: keys.map(\.fileName),
      size: (usage.bytes ?? 0) / scale.count
    )
    for index in 0..<scale.count { try raw.write(index) }
    // Every folder exists when the time is taken.
    var folders = Set(keys.prefix(scale.count).map { $0.fileName.prefix(2) })
    for key in keys.dropFirst(scale.count) where folders.insert(key.fileName.prefix(2)).inserted {
      try store.setBlocking(Self.entry(scale.size), for: key)
      try store.removeBlocking(key)
    }
  }

  /// How many operations a pass of the rows makes that write or remove single entries.
  private let batch: Int

  private static let pairs = 9

  private static func open(_ path: String, _ limit: DiskLimit) throws -> DiskStore {
    // So long a round keeps the background out of the figures.
    try DiskStore(directory: path, limit: limit, sweepInterval: .seconds(10_000_000))
  }

  private static func entry(_ size: Int, isExpired: Bool = false) -> CacheEntry {
    CacheEntry(
      payload: [UInt8](repeating: 7, count: size),
      codec: .raw,
      type: 1,
      created: 1_700_000_000_000_000,
      freshUntil: isExpired ? 1_700_000_000_000_001 : .max,
      keptUntil: isExpired ? 1_700_000_000_000_001 : .max
    )
  }

  func measure(_ operation: DiskOperation, _ name: String) throws -> Measurement {
    let pairs =
      switch operation {
      case .open: try open()
      case .get: try get()
      case .put: try put()
      case .overwrite: try overwrite()
      case .remove: try remove()
      case .expire: try expire()
      case .evict: try evict()
      }
    return Measurement(
      name: name,
      value: pairs.value,
      unit: "ns",
      baseline: pairs.baseline,
      ratio: pairs.ratio
    )
  }

  private func open() throws -> WallPairs {
    let path = folder.path + "/store"
    return try WallPairs(
      count: Self.pairs,
      operations: 1_000,
      baseline: { for _ in 0..<1_000 { try raw.openFolder() } },
      subject: {
        for _ in 0..<1_000 { sink(try Self.open(path, .unlimited).directory.utf8.count) }
      }
    )
  }

  private func get() throws -> WallPairs {
    let draws = (0..<2_000).map { _ in Int.random(in: 0..<scale.count, using: &random) }
    return try WallPairs(
      count: Self.pairs,
      operations: draws.count,
      baseline: {
        var sum = 0
        for index in draws { sum &+= try raw.read(index) }
        sink(sum)
      },
      subject: {
        var sum = 0
        for index in draws {
          sum &+= try store.entryBlocking(for: keys[index])?.payload?.count ?? .min
        }
        guard sum == draws.count * scale.size else { throw BenchmarkFailure("a value is missing") }
      }
    )
  }

  /// New entries in every pass: some file systems search long for a place after files were removed.
  private func put() throws -> WallPairs {
    var next = scale.count
    let entry = Self.entry(scale.size)
    let pairs = try WallPairs(
      count: Self.pairs,
      operations: batch,
      baseline: { for index in next..<(next + batch) { try raw.write(index) } },
      subject: {
        for index in next..<(next + batch) { try store.setBlocking(entry, for: keys[index]) }
      },
      after: { next += batch }
    )
    for index in scale.count..<next {
      try raw.unlink(index)
      try store.removeBlocking(keys[index])
    }
    return pairs
  }

  private func overwrite() throws -> WallPairs {
    let draws = (0..<batch).map { _ in Int.random(in: 0..<scale.count, using: &random) }
    let entry = Self.entry(scale.size)
    return try WallPairs(
      count: Self.pairs,
      operations: draws.count,
      baseline: { for index in draws { try raw.write(index) } },
      subject: { for index in draws { try store.setBlocking(entry, for: keys[index]) } }
    )
  }

  private func remove() throws -> WallPairs {
    let added = scale.count..<(scale.count + batch)
    return try WallPairs(
      count: Self.pairs,
      operations: added.count,
      before: {
        for index in added {
          try raw.write(index)
          try store.setBlocking(Self.entry(scale.size), for: keys[index])
        }
      },
      baseline: { for index in added { try raw.unlink(index) } },
      subject: { for index in added { try store.removeBlocking(keys[index]) } }
    )
  }

  /// A tenth of the entries expires; by the unlinks of as many files, folder by folder.
  private func expire() throws -> WallPairs {
    let due = Array((0..<scale.count).shuffled(using: &random).prefix(scale.count / 10))
    let files = raw.byFolder(due)
    let pairs = try WallPairs(
      count: Self.pairs,
      operations: due.count,
      before: {
        for index in due {
          try raw.write(index)
          try store.setBlocking(Self.entry(scale.size, isExpired: true), for: keys[index])
        }
      },
      baseline: { for index in files { try raw.unlink(index) } },
      subject: {
        let count = try store.removeExpiredBlocking()
        guard count == due.count else {
          throw BenchmarkFailure("\(count) entries expired, not \(due.count)")
        }
      }
    )
    for index in due {
      try raw.write(index)
      try store.setBlocking(Self.entry(scale.size), for: keys[index])
    }
    return pairs
  }

  /// A store that is full gets one more and drops a fifth; by the unlinks of as many files.
  ///
  /// Only what was dropped is written again between two passes: on some file systems writing all
  /// anew takes many times as long as what is measured.
  private func evict() throws -> WallPairs {
    let path = folder.path + "/store"
    let full = try Self.open(path, .entries(scale.count))
    let extra = keys[scale.count]
    let dropped = scale.count / 5 + 1
    var turn = 0
    func unlinked(_ turn: Int) -> [Int] {
      (0..<dropped).map { (turn * dropped + $0) % scale.count }
    }
    return try WallPairs(
      count: Self.pairs,
      operations: dropped,
      before: {
        let missing = Set(turn == 0 ? [] : unlinked(turn - 1))
        for index in 0..<scale.count {
          if missing.contains(index) { try raw.write(index) }
          let name = keys[index].fileName
          if RawFiles.isThere("\(path)/\(name.prefix(2))/\(name)") { continue }
          try full.setBlocking(Self.entry(scale.size), for: keys[index])
        }
      },
      baseline: { for index in unlinked(turn) { try raw.unlink(index) } },
      subject: { try full.setBlocking(Self.entry(scale.size), for: extra) },
      after: {
        turn += 1
        let usage = try full.usageBlocking().entries ?? 0
        guard usage == scale.count - dropped + 1 else {
          throw BenchmarkFailure("\(usage) of \(scale.count) entries were left")
        }
        try full.removeBlocking(extra)
      }
    )
  }
}
