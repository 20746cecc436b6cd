// What is known about one file without asking about it.
//
// What: size, times and lifetime of the record that a name and an inode number stand for. A directory
// gives both when it is listed; a record that was replaced has another inode. Invariants: 64 bytes in
// an index; it is a hint: whoever removes a file because of one looks at the file first. It is made
// when the file has its name, since a rename changes the time of change.
// Called by the disk store's index.
struct DiskNote: Hashable, Sendable {
  /// What a pass removes.
  struct Due: Sendable {
    /// When the pass began, in microseconds since 1970.
    let now: Int64
    /// Up to which moment what was stored is too old.
    let tooOld: Int64?
    /// From which moment on what was stored then was written by a wrong clock.
    var tooLate: Int64 = .max
    /// Whether those go as well that have expired and are still kept.
    var includesKept = false

    /// Whether what was stored then was written by a wrong clock; nobody knows when it ends.
    func isTooLate(_ created: Int64) -> Bool { created > tooLate }
  }

  /// The checksum of the file's name.
  var name: UInt64
  /// Which file had the name.
  var inode: UInt64
  /// The length in bytes.
  var size: Int
  /// When the entry was last used, in microseconds since 1970, to ten minutes.
  var accessed: Int64
  /// When the file's own record changed, in nanoseconds since 1970.
  var changed: Int64
  /// When the entry was stored.
  var created: Int64
  /// When it stops being fresh; of a record whose header was not read, its modification time.
  var freshUntil: Int64
  /// When it may be removed; the least number for a record whose header was not read.
  var keptUntil: Int64

  /// Notes a file whose header was not read.
  init(_ name: String, _ status: FileStatus) {
    self.name = Self.checksum(name)
    inode = status.inode
    size = status.size
    accessed = status.accessed
    changed = status.changed
    created = .min
    freshUntil = status.modified
    keptUntil = .min
  }

  /// Notes a record with its lifetime.
  init(
    _ name: String,
    _ status: FileStatus,
    created: Int64,
    freshUntil: Int64,
    keptUntil: Int64
  ) {
    self.init(name, status)
    self.created = created
    self.freshUntil = freshUntil
    self.keptUntil = keptUntil
  }

  /// Whether the lifetime is known.
  var hasLifetime: Bool { keptUntil != .min }

  /// Whether the record is to go, as far as this is known.
  func isDue(by due: Due) -> Bool {
    let end = due.includesKept ? min(freshUntil, keptUntil) : keptUntil
    return end <= due.now || due.isTooLate(created) || due.tooOld.map { created <= $0 } ?? false
  }

  /// Whether a file is the noted one and was not touched since.
  func describes(_ status: FileStatus) -> Bool {
    status.kind == .file && status.inode == inode && status.size == size
      && status.changed == changed
  }

  /// Under which number a file's name is noted.
  static func checksum(_ name: String) -> UInt64 {
    var name = name
    return name.withUTF8 { unsafe Checksum.of(UnsafeRawBufferPointer($0)) }
  }
}
