// What the disk store knows about its files beyond what the indexes on disk say.
//
// What: for each of the 256 shards the notes that were made since its index was last written.
// Invariants: a write adds at most 512 notes to a shard, 64 bytes each, 8 MB in all; what is not
// noted is learned from the file by the next pass. Notes older than a day are dropped. Its locks are
// held over nothing but array operations. Called by the disk store.
import Synchronization

final class DiskIndex: Sendable {
  struct Notes: Sendable {
    /// When the oldest one was made, in microseconds since 1970.
    var since: Int64 = .max
    /// What was noted, the latest last.
    var notes: [DiskNote] = []

    /// Adds a note.
    mutating func add(_ note: DiskNote, at now: Int64) {
      since = min(since, now)
      notes.append(note)
    }
  }

  /// For how long what was once learned is believed, in microseconds.
  static let trustInterval: Int64 = 86_400_000_000

  /// How many notes writes and uses add to a shard at most.
  static let mostNotes = 512

  private let shards = DiskShards(Notes())

  /// Notes a write or a use.
  func note(_ note: DiskNote, in shard: Int, at now: Int64) {
    shards[shard].value.withLock { notes in
      guard notes.notes.count < Self.mostNotes else { return }
      notes.add(note, at: now)
    }
  }

  /// The notes of a shard, from which those are left out that are too old to be believed.
  func notes(in shard: Int, at now: Int64) -> Notes {
    guard shards.areUsed else { return Notes() }
    return shards[shard].value.withLock { notes in
      if !notes.notes.isEmpty, !Self.believes(notes.since, at: now) { notes = Notes() }
      return notes
    }
  }

  /// How many notes a shard has.
  func count(in shard: Int) -> Int {
    shards.areUsed ? shards[shard].value.withLock { $0.notes.count } : 0
  }

  /// Removes the notes of a shard that are dead, and all when at least so many are left.
  ///
  /// - Returns: those that were left; `nil` when they are too few and stay.
  func take(atLeast count: Int, in shard: Int, where isLive: (DiskNote) -> Bool) -> Notes? {
    shards[shard].value.withLock { notes in
      notes.notes.removeAll { !isLive($0) }
      if notes.notes.isEmpty { notes = Notes() }
      guard notes.notes.count >= count else { return nil }
      let taken = notes
      notes = Notes()
      return taken
    }
  }

  /// Adds what a pass over a shard learned, whatever the number.
  func add(_ learned: [DiskNote], in shard: Int, at now: Int64) {
    guard !learned.isEmpty else { return }
    shards[shard].value.withLock { notes in
      for note in learned { notes.add(note, at: now) }
    }
  }

  /// Whether what was learned at a moment is believed now.
  static func believes(_ moment: Int64, at now: Int64) -> Bool {
    let (age, overflow) = now.subtractingReportingOverflow(moment)
    return !overflow && (0..<trustInterval).contains(age)
  }
}
