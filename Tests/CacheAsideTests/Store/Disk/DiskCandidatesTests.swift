import Testing

@testable import CacheAside

/// In which order an eviction takes records.
@Suite struct DiskCandidatesTests {
  private func candidate(accessed: Int64, changed: Int64, file: Int) -> DiskCandidates.Candidate {
    let status = FileStatus(
      kind: .file,
      size: 1,
      owner: 0,
      device: 0,
      inode: 1,
      accessed: accessed,
      modified: 0,
      changed: changed
    )
    return DiskCandidates.Candidate(DiskNote("", status), survey: file % 7, file: file)
  }

  @Test(arguments: [0, 1, 2, 3, 1_000])
  func `the oldest comes first, and each one once`(count: Int) {
    var random = SplitMix(state: UInt64(count))
    // Few times, so that most are told apart by when their files changed, or only by their places.
    let candidates = (0..<count).map { file in
      candidate(
        accessed: Int64(random.next() % 5),
        changed: Int64(random.next() % 20),
        file: file
      )
    }
    for order in [candidates, candidates.sorted(), candidates.sorted().reversed()] {
      var queue = DiskCandidates(order)
      var taken: [DiskCandidates.Candidate] = []
      while let next = queue.popOldest() { taken.append(next) }
      #expect(taken == candidates.sorted())
      #expect(queue.popOldest() == nil)
    }
  }

  @Test func `of equal ones all are taken`() {
    let candidates = (0..<3_000).map { candidate(accessed: 1, changed: 1, file: $0) }
    var queue = DiskCandidates(candidates)
    var files: Set<Int> = []
    while let next = queue.popOldest() { files.insert(next.file) }
    #expect(files.count == candidates.count)
  }
}
