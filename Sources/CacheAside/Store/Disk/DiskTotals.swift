// How much the store holds, by shard.
//
// What: bytes and entries of each of the 256 shards behind the shard's own lock, and their sums.
// Invariants: a change to a shard's files by this store and to its figures is one critical section
// of that shard's lock, so that the sums equal the folder's content as far as this process changes
// it; a shard that was never counted is unknown and adds nothing. Other processes' changes are found
// when a shard is counted again. The lock is held over a few file calls, or over the listing of one
// shard; reads of entries never take it. Called by the disk store.
import Synchronization

final class DiskTotals: Sendable {
  struct Shard: Sendable {
    var bytes = 0
    var entries = 0
    var isKnown = false
    /// The names of all records that were counted, and others.
    var names = DiskNameFilter()

    /// Whether a record with the name of this checksum may have been counted.
    func mayHave(_ name: UInt64) -> Bool { isKnown && names.mayContain(name) }

    /// Notes that a record was written, in the place of an older one if there was one.
    mutating func change(from old: FileStatus?, to new: Int, named name: UInt64) {
      change(from: old, to: new)
      if isKnown { names.insert(name) }
    }

    /// Notes that a file was replaced, added or removed.
    mutating func change(from old: FileStatus?, to new: Int? = nil) {
      guard isKnown else { return }
      if let old, old.kind == .file {
        // Whoever changed the file in its place has not told; the next sweep counts anew.
        bytes = max(0, bytes - old.size)
        entries = max(0, entries - 1)
      }
      if let new {
        bytes += new
        entries += 1
      }
    }
  }

  private let shards = DiskShards(Shard())
  private let byteSum = Atomic<Int>(0)
  private let entrySum = Atomic<Int>(0)
  private let unknownCount = Atomic<Int>(DiskLayout.shardCount)
  private let temporarySum = Atomic<Int>(0)

  /// The size of all records that were counted.
  var bytes: Int { byteSum.load(ordering: .relaxed) }

  /// Their number.
  var entries: Int { entrySum.load(ordering: .relaxed) }

  /// Whether every shard was counted.
  var areKnown: Bool { unknownCount.load(ordering: .relaxed) == 0 }

  /// The size of temporary files that other processes left or are writing.
  var temporaryBytes: Int {
    get { temporarySum.load(ordering: .relaxed) }
    set { temporarySum.store(newValue, ordering: .relaxed) }
  }

  /// Whether a shard was counted.
  func isKnown(_ index: Int) -> Bool { shards[index].value.withLock { $0.isKnown } }

  /// Changes a shard's files and figures in one step; what is reported meanwhile is sent after it.
  func withShard<Result: Sendable>(
    _ index: Int,
    _ body: (inout Shard) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    let result = HeldReports.hold {
      Swift.Result { () throws(FileSystemError) in try withLockedShard(index, body) }
    }
    return try result.get()
  }

  private func withLockedShard<Result: Sendable>(
    _ index: Int,
    _ body: (inout Shard) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    try shards[index].value.withLock { shard throws(FileSystemError) in
      let (bytes, entries, wasKnown) = (shard.bytes, shard.entries, shard.isKnown)
      defer {
        byteSum.wrappingAdd(shard.bytes - bytes, ordering: .relaxed)
        entrySum.wrappingAdd(shard.entries - entries, ordering: .relaxed)
        if shard.isKnown != wasKnown {
          unknownCount.add(shard.isKnown ? -1 : 1, ordering: .relaxed)
        }
      }
      return try body(&shard)
    }
  }

  /// Forgets all figures, because the folder was removed behind the store's back.
  func forget() throws(FileSystemError) {
    for index in 0..<DiskLayout.shardCount {
      try withShard(index) { shard throws(FileSystemError) in shard = Shard() }
    }
    temporaryBytes = 0
  }
}
