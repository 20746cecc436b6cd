/// What is in one shard: the files, and what is known about them.
struct DiskSurvey: Sendable {
  struct File: Sendable {
    /// Which entry of the listing it is.
    let entry: Int
    var note: DiskNote
    /// Whether the pass removed it.
    var isRemoved = false
  }

  /// Which shard.
  let shard: Int
  /// What is in its folder.
  var listing = DirectoryListing()
  /// Its files, without directories.
  var files: [File] = []
  /// The names of links, pipes and sockets.
  var intruders: [String] = []
  /// Whether something has the name of the index.
  var hasIndex = false
  /// When the oldest of what the index says was learned; `nil` when it says nothing.
  var made: Int64?
  /// How many notes the index has.
  var noted = 0
  /// The records that were in transit when the removals began; `nil` before that.
  var inTransit: Set<DiskLayout.Place>?
  /// What the pass that looks at the files learned.
  var learned: [DiskNote] = []

  /// The notes on the files that are left.
  var left: [DiskNote] { files.lazy.filter { !$0.isRemoved }.map(\.note) }

  /// The name of a file.
  func name(of file: File) -> String { listing.name(at: file.entry) }
}
