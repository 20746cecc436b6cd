// Which records of a store may be evicted, the oldest first.
//
// What: incremental quicksort. Only the part of the array that the next one is in is sorted further, so
// that taking k of n costs O(n + k log k) on average; an eviction takes a fifth. Invariants: positions
// below `next` were taken; every position in `ends` holds what it would in the sorted array, all
// before it is older and all behind it is newer, and the nearest is last. Called by the disk store.
// Reference: R. Paredes, G. Navarro, "Optimal incremental sorting" (ALENEX 2006).
struct DiskCandidates: Sendable {
  struct Candidate: Comparable, Sendable {
    /// When the entry was last used, in microseconds since 1970.
    let accessed: Int64
    /// Which use of this process the last one was; zero when it is not known.
    let order: UInt64
    /// When the file's own record changed, in nanoseconds since 1970.
    let changed: Int64
    /// Which survey it is in, and which file of it.
    let survey: Int
    let file: Int

    init(_ note: DiskNote, _ use: DiskUses.Use? = nil, survey: Int, file: Int) {
      accessed = max(note.accessed, use?.time ?? .min)
      order = use?.order ?? 0
      changed = note.changed
      self.survey = survey
      self.file = file
    }

    /// No two are equal, so that sorting by halves always ends.
    static func < (lhs: Candidate, rhs: Candidate) -> Bool {
      if lhs.accessed != rhs.accessed { return lhs.accessed < rhs.accessed }
      if lhs.order != rhs.order { return lhs.order < rhs.order }
      if lhs.changed != rhs.changed { return lhs.changed < rhs.changed }
      return (lhs.survey, lhs.file) < (rhs.survey, rhs.file)
    }
  }

  private var candidates: [Candidate]
  private var next = 0
  private var ends: [Int]

  init(_ candidates: [Candidate]) {
    self.candidates = candidates
    ends = [candidates.count]
  }

  /// Takes the oldest one that is left.
  mutating func popOldest() -> Candidate? {
    guard next < candidates.count else { return nil }
    while let end = ends.last, end != next { ends.append(divide(next..<end)) }
    ends.removeLast()
    next += 1
    return candidates[next - 1]
  }

  /// Puts what is older than the one in the middle before it, and the rest behind it.
  ///
  /// - Returns: where that one is then.
  private mutating func divide(_ range: Range<Int>) -> Int {
    let last = range.upperBound - 1
    candidates.swapAt((range.lowerBound + last) / 2, last)
    let pivot = candidates[last]
    var place = range.lowerBound
    for index in range.lowerBound..<last where candidates[index] < pivot {
      candidates.swapAt(index, place)
      place += 1
    }
    candidates.swapAt(place, last)
    return place
  }
}
