import CacheAside

/// What the disk store costs, by the system calls that it cannot do without.
///
/// Rows are `disk.OPERATION.SIZE.COUNT`. Value and baseline are wall time, since processor time
/// would hide the device; their ratio is the median of pairs. The folder is the one of `TMPDIR`.
/// Rows of more than a gigabyte run when `CACHEASIDE_DISK_FULL` is set.
func diskBenchmarks() -> [Benchmark] {
  let rooms = DiskRooms()
  var rows: [Benchmark] = []
  for scale in DiskScale.all {
    for operation in DiskOperation.allCases {
      let name = "disk.\(operation).\(scale)"
      rows.append(
        Benchmark(name: name) {
          guard scale.isSmall || rooms.allowsLarge else {
            throw BenchmarkSkip("set CACHEASIDE_DISK_FULL=1 for \(scale.gigabytes) GB of files")
          }
          return try rooms.room(of: scale).measure(operation, name)
        }
      )
    }
  }
  return rows
}

/// What is done to a store.
enum DiskOperation: String, CaseIterable {
  case open, get, put, overwrite, remove, expire, evict
}

/// How many entries of which size a store holds.
struct DiskScale: CustomStringConvertible, Equatable {
  let size: Int
  let count: Int

  static let all = [200, 4_096, 102_400].flatMap { size in
    [1_000, 10_000, 100_000].map { DiskScale(size: size, count: $0) }
  }

  var isSmall: Bool { size * count <= 1_100_000_000 }

  /// Of both folders.
  var gigabytes: Int { 2 * size * count / 1_000_000_000 }

  var description: String {
    (size < 1_024 ? "\(size)" : "\(size / 1_024)k") + ".\(count / 1_000)k"
  }
}

/// The folders of the scale that was used last.
final class DiskRooms {
  private var room: DiskRoom?
  let allowsLarge = environment("CACHEASIDE_DISK_FULL") != nil

  func room(of scale: DiskScale) throws -> DiskRoom {
    if let room, room.scale == scale { return room }
    room = nil
    let made = try DiskRoom(scale)
    room = made
    return made
  }
}
