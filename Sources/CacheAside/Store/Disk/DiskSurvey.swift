/// What is in one shard: the files, and what is known about them.
struct DiskSurvey: Sendable {
  struct File: Sendable {
    let name: String
    let note: DiskNote
  }

  /// Which shard.
  let shard: Int
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
}
